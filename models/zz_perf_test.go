package models_test
import ("testing";"time";"laurel/models";"laurel/models/modelstest")
func TestZZ(t *testing.T){
 db:=modelstest.Open(t); now:=modelstest.Noon
 for _,q:=range []string{
 `INSERT INTO members (name, display_name, time_zone, created_at) SELECT 'sample-' || i, 'Sample ' || i, 'Europe/Riga', now() FROM generate_series(1, 2000) i`,
 `INSERT INTO accounts (member_id, site, handle, due_at, created_at) SELECT id, 'codeforces', name, now(), now() FROM members`,
 `INSERT INTO problems (site,key,name,url) SELECT 'codeforces','p'||i,'Problem '||i,'u' FROM generate_series(1,10000) i`,
 `INSERT INTO submissions (account_id, member_id, site, site_id, problem_id, status, verdict, language, submitted_at, url, first_seen_at)
  SELECT a.id,a.member_id,a.site,i,1+(i*7+a.id)%10000,(ARRAY['AC','WA'])[1+i%2],'x','Go', timestamptz '2026-11-21 11:00+00' - i*interval '13 hours','u',now() FROM accounts a, generate_series(1,500) i`,
 `INSERT INTO days SELECT member_id, CAST(submitted_at AT TIME ZONE 'Europe/Riga' AS date), count(*), count(*) FILTER (WHERE status='AC') FROM submissions GROUP BY 1,2`,
 `INSERT INTO member_stats (member_id,submissions,accepted,solved) SELECT member_id,count(*),count(*) FILTER (WHERE status='AC'), count(DISTINCT problem_id) FROM submissions GROUP BY 1`,
 `ANALYZE`} { if err:=db.Exec(q).Error; err!=nil {t.Fatal(err)} }
 for range 2 { for _,sc:=range []string{"all","month","week"} { s:=time.Now(); l,_,err:=models.Leaderboard(t.Context(),db.DB,sc,"",50,now); t.Log(sc,len(l),err,time.Since(s)) }
 s:=time.Now(); p,_,err:=models.ProblemsAfter(t.Context(),db.DB,"","Problem 99","",50); t.Log("problems q",len(p),err,time.Since(s))
 s=time.Now(); m,_,err:=models.MembersAfter(t.Context(),db.DB,"",50); t.Log("members",len(m),err,time.Since(s))
 var n counter; s=time.Now(); err=models.Export(t.Context(),db.DB,&n); t.Log("export",n,err,time.Since(s)) }
}
type counter int
func (c *counter) Write(b []byte)(int,error){*c+=counter(len(b));return len(b),nil}
