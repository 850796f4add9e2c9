# Everything a person or CI runs. The README's two are `make run` and `make test`.
.PHONY: run demo test all-tests other-tests race check soak bench simulate build assets browser generate clean-tree lint

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
# The packages in which goroutines share memory, without those that only drive them.
# jobs/retrieval and web belong here too, but take ten times as long: see soak.
RACY := ./jobs/polite ./jobs/posts ./handlers/badges ./handlers/profiles ./handlers/web ./models/awards/... ./models/db ./models/localpg
# Without paths in what is built, all clones and worktrees of a machine share Go's build cache.
export GOFLAGS += -trimpath
# With more memory between two collections, but no more than a small machine has, the linter takes a sixth less.
LINT := GOGC=300 GOMEMLIMIT=2GiB go tool -modfile=tools/go.mod golangci-lint

run: assets
	go run ./web serve

demo: assets
	go run ./web demo

# Builds styles and scripts into static/dist (needs npm; without it pages work plainly).
assets:
	@go run ./static/build

# A browser for the tests of pages. Without one, and without the right to
# install one, those tests are skipped and say so.
browser:
	@command -v chromium chromium-browser google-chrome >/dev/null 2>&1 || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "installing chromium for the browser tests (about 180 MB)"; \
			apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
		else echo "no chromium here: the browser tests will be skipped"; fi; }

test: assets browser
	@$(MAKE) --no-print-directory all-tests

# The two that take longest begin first: else one of them goes on alone when all others are done.
all-tests:
	go test -timeout 30m ./web ./jobs/retrieval ./...

# All but those that race runs. The linter vets them, and debuggers' data, which takes a third of linking, is left out.
other-tests:
	go test -timeout 30m -vet=off -ldflags=-w ./web ./jobs/retrieval $$(go list ./... | grep -vxF "$$(go list $(RACY))")

# Needs a C compiler.
race:
	go test -timeout 30m -vet=off -ldflags=-w -race $(RACY)

# What CI runs. The browser and the sites of the tests wait a lot: the linter and the race detector
# fill the pauses. The tests take longest, so nothing may hold them up: what they need is there before.
check: generate clean-tree assets browser
	@$(MAKE) --no-print-directory -j2 -O other-tests race lint

generate:
	go generate ./...

clean-tree:
	@test -z "$$(git status --porcelain)" || { echo "generated files differ, or work is not committed:"; git status --short; exit 1; }

lint:
	$(LINT) run ./...

# The random and the crash tests at full count.
soak:
	LAUREL_SOAK=1 go test -timeout 60m -count=1 ./...
	go test -timeout 60m -count=1 -vet=off -race ./...

# What a community of 6,380 costs the sites, and how late it is seen; see jobs/simulate.
simulate:
	LAUREL_SIMULATE=1 go test -timeout 24h -count=1 -v -run TestSimulate ./jobs/simulate

bench:
	LAUREL_BENCH=1 go test -run '^$$' -bench . -benchtime 1x -timeout 60m ./jobs/bench ./jobs/bus ./web ./views/charts

build: assets
	CGO_ENABLED=0 go build -ldflags "-s -w -X main.version=$(VERSION)" -o bin/laurel ./web
