package standin

import (
	"crypto/sha512"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// A PrivateKey is somebody's key of Codeforces' API, with the submissions, by the seconds at which
// they were made, that are shown to nobody without it.
type PrivateKey struct {
	Handle, Key, Secret string
	Private             []int64
}

// GiveKey gives somebody a key.
func (s *Server) GiveKey(k PrivateKey) {
	s.editing.Lock()
	defer s.editing.Unlock()
	s.keys[strings.ToLower(k.Handle)] = k
}

// cfSigned says whose key signs a question, or what is wrong with it: the signature is six letters,
// and the hash of these, the method, the parameters in order and the secret.
func (s *Server) cfSigned(q question) (owner string, refused *answer) {
	given := query(q.r)
	if given.Get("apiKey") == "" {
		return "", nil
	}
	s.editing.RLock()
	defer s.editing.RUnlock()
	for handle, k := range s.keys {
		if k.Key != given.Get("apiKey") {
			continue
		}
		var parameters []string
		for name, values := range given {
			if name != "apiSig" {
				parameters = append(parameters, name+"="+values[0])
			}
		}
		sort.Strings(parameters)
		signature := given.Get("apiSig")
		salt := signature[:min(6, len(signature))]
		method := strings.TrimPrefix(q.r.URL.Path, "/api/")
		hash := sha512.Sum512([]byte(salt + "/" + method + "?" + strings.Join(parameters, "&") + "#" + k.Secret))
		at, err := strconv.ParseInt(given.Get("time"), 10, 64)
		if signature != salt+fmt.Sprintf("%x", hash) || err != nil {
			return "", new(cfRefusal("apiSig: Incorrect signature"))
		}
		if d := q.now.Unix() - at; d > 300 || d < -300 {
			return "", new(cfRefusal("time: Specified time is too far from the server's"))
		}
		return handle, nil
	}
	return "", new(cfRefusal("apiKey: Incorrect API key;onlyForTests"))
}

// hiddenFrom are somebody's submissions that only the owner of the key may see.
func (s *Server) hiddenFrom(handle, signer string) []int64 {
	s.editing.RLock()
	defer s.editing.RUnlock()
	if strings.EqualFold(signer, handle) {
		return nil
	}
	return s.keys[strings.ToLower(handle)].Private
}
