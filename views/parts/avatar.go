package parts

import (
	"strconv"
	"strings"
	"unicode"
)

// hues is how many colours avatars have: d0 to d5 in app.css.
const hues = 6

func (a Avatar) class() string {
	class := "d" + strconv.FormatInt(a.ID%hues, 10)
	if a.Large {
		class += " l"
	}
	return class
}

// initials are the first letters of the first two words of the name.
func (a Avatar) initials() string {
	var letters []rune
	for _, word := range strings.FieldsFunc(a.Name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if letters = append(letters, unicode.ToUpper([]rune(word)[0])); len(letters) == 2 {
			break
		}
	}
	return string(letters)
}
