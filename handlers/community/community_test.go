package community_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"laurel/handlers/handlerstest"
	"laurel/models/members"
)

// What an admin says of the community is on every page.
func TestCommunity(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "root", members.RoleAdmin)
	visitor, root := s.Browser(t), s.SignedIn(t, "root")
	if text := visitor.Get("/about").Is(t, http.StatusOK, "About · Laurel").Text; strings.Contains(text, "/privacy") {
		t.Error("there is a link to a page about privacy that nobody wrote")
	}
	root.Get("/admin").Is(t, http.StatusOK, "/admin/community")
	root.Post("/admin/community", "name", strings.Repeat("x", 41), "welcome", strings.Repeat("y", 601)).
		Is(t, http.StatusUnprocessableEntity, "Use at most 40 letters; these are 41", "Use at most 600 letters; these are 601")
	root.Post("/admin/community", "name", "  Sample <b>  College ", "about", "# Who\r\n\r\nWe & all\nhttps://a.example/x.\r\n- one\r\n- two", "privacy", "Nothing leaves.").
		LeadsTo(t, "/admin/community?done=saved")
	visitor.Get("/about").Is(t, http.StatusOK, "About · Sample &lt;b&gt; College</title>", "<h2>Who</h2>", "We &amp; all", `<a href="https://a.example/x"`,
		"<li>one</li>", "<li>two</li>", `href="/privacy"`)
	visitor.Get("/privacy").Is(t, http.StatusOK, "Nothing leaves.")
	visitor.Get("/admin/community").LeadsTo(t, "/sign-in?next=%2Fadmin%2Fcommunity")
}

func upload(t *testing.T, b *handlerstest.Browser, content []byte) handlerstest.Answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", "logo")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write(content)
	_ = w.Close()
	return b.Do("POST", "/admin/community/logo", &body, "Content-Type", w.FormDataContentType())
}

// A logo is pixels that Laurel wrote itself, whatever came.
func TestLogo(t *testing.T) {
	t.Parallel()
	s := handlerstest.New(t, "http://laurel.test")
	s.Member(t, "root", members.RoleAdmin)
	visitor, root := s.Browser(t), s.SignedIn(t, "root")
	visitor.Get("/logo.png").Is(t, http.StatusNotFound)
	for _, bad := range []string{"", "<svg xmlns='http://www.w3.org/2000/svg'/>", "\x89PNG\r\n\x1a\nand no more"} {
		upload(t, root, []byte(bad)).Is(t, http.StatusUnprocessableEntity, "PNG, JPEG or GIF")
	}
	from := image.NewNRGBA(image.Rect(0, 0, 300, 200))
	from.Set(0, 0, color.White)
	var file bytes.Buffer
	if err := png.Encode(&file, from); err != nil {
		t.Fatal(err)
	}
	upload(t, root, append(file.Bytes(), "<script>a tail</script>"...)).LeadsTo(t, "/admin/community?done=saved")
	page := visitor.Get("/about").Is(t, http.StatusOK, `<img src="/logo.png?v=`).Text
	_, rest, _ := strings.Cut(page, `<img src="`)
	address, _, _ := strings.Cut(rest, `"`)
	got := visitor.Get(address).Is(t, http.StatusOK)
	served, err := png.Decode(strings.NewReader(got.Text))
	if err != nil || served.Bounds().Dx() != 96 || served.Bounds().Dy() != 64 || strings.Contains(got.Text, "script") {
		t.Errorf("the logo is %v, %v", served, err)
	}
	visitor.Get(address, "If-None-Match", got.Header.Get("ETag")).Is(t, http.StatusNotModified)
	root.Post("/admin/community/logo/delete").LeadsTo(t, "/admin/community?done=removed")
	visitor.Get("/logo.png").Is(t, http.StatusNotFound)
}

// The search knows people by name, part of it, handle and address; problems; and words of discussions.
func TestSearch(t *testing.T) {
	t.Parallel()
	s, _ := handlerstest.Community(t)
	b := s.Browser(t)
	b.Get("/search").Is(t, http.StatusOK, "Search")
	b.Get("/search?q=nobody+is+called+that").Is(t, http.StatusOK, "Nothing found")
	for _, q := range []string{"ada", "AD", "http://laurel.test/u/ada/awards"} {
		b.Get("/search?q="+q).Is(t, http.StatusOK, `href="/u/ada"`)
	}
	b.Get("/search?q=%25%00%FF").Is(t, http.StatusOK)
}
