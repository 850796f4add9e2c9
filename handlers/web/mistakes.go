package web

import "laurel/views/texts"

// Of models, which know no languages: what they say of mistakes of members, as sentences of pages.
var _ = []string{
	texts.Mark("This is the same member; choose another one to compare with."),
	texts.Mark("A display name has at most 200 bytes."),
	texts.Mark("Must be letters and digits, as the site shows it."),
	texts.Mark("Nobody without an account has this handle here, so there is no page to show."),
	texts.Mark("Prove first that the handle is yours."),
	texts.Mark("Sign-up is closed; ask an admin."),
	texts.Mark("That is not your password."),
	texts.Mark("This account is suspended; ask an admin."),
	texts.Mark("This code is used up; get a new one."),
	texts.Mark("This is the only admin; make somebody else an admin first."),
	texts.Mark("This is you; block somebody else."),
	texts.Mark("This is you; follow somebody else."),
	texts.Mark("This is your own profile; you can change it in the settings."),
	texts.Mark("Use at least 8 characters; four random words make a good password."),
	texts.Mark("Use at most 100 letters."),
	texts.Mark("Use at most 256 bytes."),
	texts.Mark("Wrong name or password; an admin can send you a link to choose a new password."),
	// Of files that members bring.
	texts.Mark("CSES, solved problems"),
	texts.Mark("LeetCode, saved pages"),
	texts.Mark("JSON lines"),
	texts.Mark("The file is empty."),
	texts.Mark("A file has at most 10 MB."),
	texts.Mark("The page could not be read."),
	texts.Mark("The file could not be read."),
	texts.Mark("No solved problem is on this page; save cses.fi/problemset/ while you are signed in there."),
	texts.Mark("This is neither JSON lines, nor CSV, nor a saved page of LeetCode or CSES."),
	texts.Mark("This is neither JSON lines, nor CSV whose first line names the columns, nor a saved page of LeetCode or CSES."),
	texts.Mark("The file begins like a JSON list, and is none."),
	texts.Mark("The pages of LeetCode are not whole; save each page of leetcode.com/api/submissions/ as it is."),
	texts.Mark("This file was stored already, or another one took its place; choose it again."),
}
