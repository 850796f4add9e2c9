package posts

import (
	"context"
	"errors"
	"net/http"
	"time"

	"laurel/jobs/networks"
	"laurel/jobs/polite"
	pg "laurel/models/db"
	"laurel/models/posts"
	"laurel/models/responses"
)

// errNoQuota means that a network may not be asked for now.
var errNoQuota = errors.New("the quota is used up")

// A client asks a network with one credential. Each request is taken off its quota
// before it is made, by one statement for all processes together.
type client struct {
	*Jobs
	source     string
	pool       posts.Pool
	credential posts.Credential
	token      string
	ahead      int // Requests that were taken off already.
	each       int // Posts that each of them may bring, where there is a budget of posts,
	more       int // and that each request beside them may.
	reserved   int // Posts that were taken off the budget already.
	made       int
	answers    responses.Collected
	asking     string // The question of the request under way, where it is for posts.
}

// reserve takes at most so many requests of a pool off the quota of a credential; got is
// 0 where none may be made.
func (j *Jobs) reserve(ctx context.Context, n networks.Network, pool posts.Pool, requests, batch int) (a *client, got int, err error) {
	c, got, err := posts.ReserveRequests(ctx, j.DB.DB, pool, requests, batch, j.Now())
	if i := n.Info(); err == nil && got == 0 && !i.NeedsToken {
		if err = posts.AskAsAnybody(ctx, j.DB.DB, pool, i.Requests, i.Window, j.Now()); err == nil {
			c, got, err = posts.ReserveRequests(ctx, j.DB.DB, pool, requests, batch, j.Now())
		}
	}
	if err != nil || got == 0 {
		return nil, 0, err
	}
	a = &client{Jobs: j, source: pool.Network, pool: pool, credential: c, ahead: got}
	if c.MonthlyPosts != nil {
		a.each, a.reserved = batch, got*batch
	}
	if a.token, err = c.OpenToken(j.Secret); err != nil {
		reported := posts.Reported{Then: "disabled",
			Reason: "the token cannot be decrypted because LAUREL_SECRET_KEY changed; enter the token again"}
		return nil, 0, errors.Join(err, a.end(ctx), posts.LearnCredential(ctx, j.DB.DB, c.ID, reported, j.Now()))
	}
	return a, got, nil
}

// credentials is the credential as networks know it.
func (a *client) credentials() networks.Credential {
	return networks.Credential{Token: a.token, Host: a.pool.Host, Legacy: a.credential.Legacy, Fields: a.credential.Fields}
}

// Get implements networks.Getter.
func (a *client) Get(ctx context.Context, address, token string) (networks.Answer, error) {
	if a.ahead == 0 {
		ok, err := posts.ReserveOne(ctx, a.DB.DB, a.credential.ID, a.more, a.Now())
		if err != nil {
			return networks.Answer{}, err
		}
		if !ok {
			return networks.Answer{}, errNoQuota
		}
		a.ahead, a.reserved = a.ahead+1, a.reserved+a.more
	}
	a.ahead--
	a.made++
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	answer, err := a.Client.Call(ctx, a.source, address, token)
	if err != nil {
		return networks.Answer{}, err
	}
	if answer.Status == http.StatusOK {
		a.answers.Add(responses.Answer{Source: a.source, Address: address, Question: a.asking, Status: answer.Status,
			Header: answer.Header, Body: answer.Body})
	}
	return networks.Answer{Status: answer.Status, Header: answer.Header.Get, Body: answer.Body}, nil
}

// refund returns requests that are not going to be made, with their posts.
func (a *client) refund(ctx context.Context, requests int) error {
	return a.back(ctx, requests, requests*a.each)
}

// end returns what was reserved and not used, when what was used has been counted.
func (a *client) end(ctx context.Context) error { return a.back(ctx, a.ahead, a.reserved) }

// keep leaves the posts of requests that were made taken off the budget.
func (a *client) keep() { a.reserved = min(a.reserved, a.ahead*a.each) }

// back returns requests and posts once: where that fails, they are lost rather than
// returned twice.
func (a *client) back(ctx context.Context, requests, list int) error {
	ctx, cancel := withGrace(ctx)
	defer cancel()
	a.ahead, a.reserved = a.ahead-requests, a.reserved-list
	return posts.GiveBack(ctx, a.DB.DB, &a.credential, requests, list)
}

// grace is how long what is under way may take when Laurel is stopped.
const grace = 10 * time.Second

// withGrace is for what is returned, also when Laurel is stopped, or what was before took
// all the time that it had.
func withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), grace)
}

// graceful is for a request, which may be paid for whether its answer is waited for or not.
func graceful(ctx context.Context) (out context.Context, done func()) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return out, func() { stop(); cancel() }
}

// requestTimeout is a sixth of a lease.
const requestTimeout = 20 * time.Second

// report stores with the credential what an answer said about it, and returns the outcome of the
// request and why.
func (a *client) report(ctx context.Context, quota networks.Quota, err error) (outcome, why string, failed error) {
	now, reported := a.Now(), posts.Reported{}
	refusal, refused := errors.AsType[*networks.Refusal](err)
	if refused {
		quota = refusal.Quota
	}
	if quota.Known {
		reported.Quota = &posts.ReportedQuota{Limit: quota.Limit, Remaining: quota.Remaining, Reset: quota.Reset}
	}
	outcome = pg.OutcomeOK
	switch e, unreachable := errors.AsType[*polite.Error](err); {
	case err == nil:
	case refused:
		outcome, why = reportRefusal(refusal, &reported, now), refusal.Message
	case unreachable:
		outcome, why, reported.Failed = e.Kind, e.Message, true
	default:
		outcome, why, reported.Failed = pg.OutcomeUnreachable, "no answer in time", true
	}
	return outcome, why, posts.LearnCredential(ctx, a.DB.DB, a.credential.ID, reported, now)
}

// defaultPause is how long a network is left alone that does not say for how long.
const defaultPause = 5 * time.Minute

// reportRefusal is what a refusal means for the credential.
func reportRefusal(e *networks.Refusal, reported *posts.Reported, now time.Time) (outcome string) {
	reported.Reason = e.Message
	switch e.Kind {
	case networks.RateLimited:
		reported.Then, reported.Until, reported.Reason = posts.Cooldown, e.Until, "the network asked for a pause: "+
			e.Message
		if e.After > 0 {
			reported.Until = now.Add(e.After)
		}
		if !reported.Until.After(now) {
			reported.Until = now.Add(defaultPause)
		}
		return pg.OutcomeRateLimited
	case networks.Capped:
		reported.Then, reported.Reason = "paused", "its quota or credit is used up: "+e.Message
		return pg.OutcomeBlocked
	case networks.Unauthorized:
		reported.Then, reported.Reason = "disabled", "the network does not accept the token: "+e.Message
		return pg.OutcomeBlocked
	case networks.Forbidden:
		reported.Then, reported.Reason = "disabled", "the token may not read posts: "+e.Message
		return pg.OutcomeBlocked
	case networks.ServerError:
		reported.Failed, reported.Reason = true, ""
		return pg.OutcomeServerError
	case networks.Format:
		reported.Failed, reported.Reason = true, ""
		return pg.OutcomeParseError
	}
	reported.Reason = "" // The request was bad, not who asked.
	return pg.OutcomeParseError
}
