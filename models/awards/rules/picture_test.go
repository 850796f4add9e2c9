package rules

import "testing"

func TestAnEmojiIsOneSign(t *testing.T) {
	t.Parallel()
	for emoji, want := range map[string]bool{
		"🔥": true, "❤️": true, "👩‍💻": true, "👍🏽": true, "🇱🇻": true, "7️⃣": true, "🏴\U000e0067\U000e0062\U000e007f": true, "⭐": true,
		"🔥🔥": false, "a": false, "7": false, "🇱": false, "\u200d": false, "👩‍": false, "🔥a": false, "<": false, "+": false, "é": false,
	} {
		if oneEmoji(emoji) != want {
			t.Errorf("%q is one: %v, want %v", emoji, !want, want)
		}
	}
}
