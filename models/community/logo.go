package community

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	_ "image/gif" // What may be uploaded.
	_ "image/jpeg"
	"image/png"
	"time"

	"golang.org/x/image/draw"
	"gorm.io/gorm"

	pg "laurel/models/db"
)

const (
	logoHeight   = 64      // Pixels that are stored: twice what is shown.
	logoWidth    = 256     // At most.
	largestLogo  = 4096    // Pixels a side of what is uploaded.
	LogoMaxBytes = 1 << 20 // Of what is uploaded.
)

// SetLogo stores a picture that an admin uploaded. It is decoded, made small and written
// anew, so that nothing but pixels is ever served.
func SetLogo(ctx context.Context, db *gorm.DB, uploaded string, now time.Time) error {
	picture, err := logoOf(uploaded)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(picture)
	err = db.WithContext(ctx).Exec(`INSERT INTO community_logo (picture, hash, stored_at) VALUES (@picture, @hash, @now)
		ON CONFLICT (id) DO UPDATE SET picture = EXCLUDED.picture, hash = EXCLUDED.hash, stored_at = EXCLUDED.stored_at`,
		pg.Named("picture", &picture, "hash", hex.EncodeToString(sum[:8]), "now", now)).Error
	if err != nil {
		return fmt.Errorf("store logo: %w", err)
	}
	return nil
}

func logoOf(uploaded string) ([]byte, error) {
	refused := &pg.InputError{Field: "file", Message: "use a PNG, JPEG or GIF picture of at most 4096 by 4096 pixels"}
	size, _, err := image.DecodeConfig(bytes.NewReader([]byte(uploaded)))
	if err != nil || size.Width < 1 || size.Height < 1 || size.Width > largestLogo || size.Height > largestLogo {
		return nil, refused
	}
	from, _, err := image.Decode(bytes.NewReader([]byte(uploaded)))
	if err != nil {
		return nil, refused
	}
	b := from.Bounds()
	scale := min(float64(logoHeight)/float64(b.Dy()), float64(logoWidth)/float64(b.Dx()), 1)
	to := image.NewNRGBA(image.Rect(0, 0, max(1, int(float64(b.Dx())*scale)), max(1, int(float64(b.Dy())*scale))))
	draw.CatmullRom.Scale(to, to.Bounds(), from, b, draw.Src, nil)
	var out bytes.Buffer
	err = png.Encode(&out, to)
	return out.Bytes(), err
}

// RemoveLogo has pages show ours again.
func RemoveLogo(ctx context.Context, db *gorm.DB) error {
	if err := db.WithContext(ctx).Exec(`DELETE FROM community_logo`).Error; err != nil {
		return fmt.Errorf("remove logo: %w", err)
	}
	return nil
}

// A Logo is a PNG with its hash.
type Logo struct {
	Picture []byte
	Hash    string
}

// LogoNow returns the logo, or ErrNotFound.
func LogoNow(ctx context.Context, db *gorm.DB) (l Logo, err error) {
	res := db.WithContext(ctx).Raw(`SELECT picture, hash FROM community_logo`).Scan(&l)
	if res.Error != nil {
		return l, fmt.Errorf("logo: %w", res.Error)
	}
	if res.RowsAffected == 0 {
		return l, pg.ErrNotFound
	}
	return l, nil
}
