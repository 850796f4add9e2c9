// ==UserScript==
// @name        LeetCode to Laurel
// @namespace   @URL@
// @version     1
// @description Sends your own LeetCode submissions to Laurel, from your browser.
// @match       https://leetcode.com/*
// @connect     @HOST@
// @grant       GM_xmlhttpRequest
// @grant       GM_registerMenuCommand
// @grant       GM_getValue
// @grant       GM_setValue
// ==/UserScript==

// An example for any site: read what the site shows to you, write one JSON object a line, push.
// The token stays in the script manager. Sending again does no harm.

const LAUREL = '@URL@';
const STATUS = {
  'Accepted': 'AC', 'Wrong Answer': 'WA', 'Time Limit Exceeded': 'TLE', 'Memory Limit Exceeded': 'MLE',
  'Runtime Error': 'RE', 'Compile Error': 'CE',
};

// row is a submission as Laurel's API describes it.
function row(s) {
  return {
    site: 'leetcode', id: String(s.id),
    problem: {key: s.title_slug, name: s.title, url: 'https://leetcode.com/problems/' + s.title_slug + '/'},
    status: STATUS[s.status_display] || 'OTH', language: s.lang,
    submitted_at: new Date(s.timestamp * 1000).toISOString(),
    url: 'https://leetcode.com/submissions/detail/' + s.id + '/',
  };
}

function ask(name, question) {
  const value = GM_getValue(name) || prompt(question);
  if (!value) throw new Error('Cancelled.');
  GM_setValue(name, value);
  return value;
}

function push(rows, to) {
  return new Promise((done, failed) => GM_xmlhttpRequest({
    method: 'POST', url: LAUREL + '/api/v1/members/' + encodeURIComponent(to.member) + '/submissions?handle=' + encodeURIComponent(to.handle),
    headers: {'Authorization': 'Bearer ' + to.token, 'Content-Type': 'application/x-ndjson'},
    data: rows.map((r) => JSON.stringify(r)).join('\n'),
    onload: (answer) => answer.status === 200 ? done(JSON.parse(answer.responseText)) : failed(new Error(answer.responseText)),
    onerror: () => failed(new Error('Laurel does not answer.')),
  }));
}

// send reads page after page, newest first, and stops where it was the last time.
async function send() {
  const to = {
    member: ask('member', 'Your name in Laurel'), handle: ask('handle', 'Your username on LeetCode'),
    token: ask('token', 'A token from Laurel, Settings, API tokens'),
  };
  const until = GM_getValue('until') || 0;
  let newest = until, stored = 0, more = true;
  for (let offset = 0; more; offset += 20) {
    const answer = await fetch('/api/submissions/?offset=' + offset + '&limit=20', {credentials: 'same-origin'});
    if (!answer.ok) throw new Error('LeetCode answers ' + answer.status + '. Sign in there, or wait a few minutes.');
    const page = await answer.json();
    const rows = page.submissions_dump.filter((s) => s.timestamp >= until);
    more = page.has_next && rows.length === page.submissions_dump.length;
    if (rows.length === 0) break;
    const result = await push(rows.map(row), to);
    if (result.rejected.length > 0) throw new Error(result.rejected[0].error);
    stored += result.accepted;
    newest = Math.max(newest, ...rows.map((s) => s.timestamp));
    if (more) await new Promise((next) => setTimeout(next, 3000)); // LeetCode refuses who hurries.
  }
  GM_setValue('until', newest); // Only now: what was cut short begins again.
  alert('Laurel has ' + stored + ' new submissions.');
}

GM_registerMenuCommand('Send my submissions to Laurel', () => send().catch((e) => alert(e.message)));
