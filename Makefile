# Every command a person needs. `make` alone prints them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PIPELINE ?= Pipelines/sample.yaml
SECONDS_OF_FUZZING ?= 60
BENCH := .build/bench
BENCH_CUSTOMERS ?= 15000
BENCH_SCALES ?= 3750 15000 60000
BENCH_RUNS ?= 5
BENCH_PEER_RUNS ?= $(BENCH_RUNS)
# The share of customers who buy nothing.
BENCH_BOUGHT_NOTHING ?= 0.5
BENCH_FORMS_CUSTOMERS ?= 3750
BENCH_NIGHTS ?= 200
BENCH_HARD ?= none storefront-prices movers currency-switch late-reports anonymous app-bug \
  extensions consent sales adversarial offers sparse several-apps shared-devices \
  sdk-introductory sdk-dollars sdk-floats sdk-months sdk-quantities promo-codes promo-codes-unlisted \
  price-tests tax-changes currency-reform currency-reform-unlisted lost-weeks \
  ask-to-buy odd-dates upgrade-refunds small-shop replayed-purchases comma-prices \
  account-switch commitment upsert-reports parse-float other-store test-files renamed-products \
  decoded charges webhooks ip-country zero-offers regional-pricing restore-storm ask-to-buy-undated \
  shared-moments original-ids rounded-prices paywall-prices silent all all-new
BENCH_HARD_CUSTOMERS ?= 2500
BENCH_HARD_SEEDS ?= 1 2 3
# A small shop has 40 customers, so more shops are asked.
BENCH_SMALL_SEEDS ?= $(foreach seed,$(BENCH_HARD_SEEDS),$(foreach shop,0 1 2 3 4 5 6 7,$(seed)$(shop)))
BENCH_HARD_KINDS ?= 0
# The content of a release: executables, and the stages that are links to paidline.
PROGRAMS := paidline paidline-validate paidline-fetch
STAGES := paidline-ingest paidline-reconstruct paidline-publish
DIST := .build/dist
# No executable names the folder in which it was built, nor holds what differs from build to build:
# Swift's hash of each module, which only the compiler reads, and the id that follows from it. (GNU
# strip would drop the read-only relocations with them.)
RELEASE := swift build -c release --static-swift-stdlib -Xswiftc -file-prefix-map \
  -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=.
SWIFT_FILES := Package.swift Sources Tests Benchmarks/Instructions Benchmarks/Signatures

# Installs Debian packages, as root or with sudo: $(call apt_install,PACKAGE PACKAGE)
apt_install = sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
	$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq \
	  --no-install-recommends $(1) >/dev/null

.PHONY: help setup charts build run test test-slow test-release test-sanitizers test-spark readers slow-tools package-tools fuzz check instructions format lint release package package-check site site-check docs pictures released-files sample bench-smoke bench-build bench bench-forms bench-nights bench-truth clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the two system libraries where they are missing (apt)
	@command -v swift >/dev/null || { echo "Paidline needs a Swift 6.3 toolchain: https://www.swift.org/install" >&2; exit 1; }
	@if pkg-config --exists zlib sqlite3 2>/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "Install the development files of zlib and SQLite 3, and pkg-config, then run make again." >&2; exit 1; fi; \
	$(call apt_install,zlib1g-dev libsqlite3-dev pkg-config)

build: setup ## debug build of everything
	swift build

charts:
	@if [ -e /usr/share/javascript/chart.js/chart.min.js ] || ! command -v apt-get >/dev/null; then \
	  exit 0; fi; \
	sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
	install="$$sudo apt-get install -y -qq --no-install-recommends libjs-chart.js"; \
	$$install >/dev/null 2>&1 || { $$sudo apt-get update -qq && $$install; } >/dev/null 2>&1 || \
	  echo "libjs-chart.js cannot be installed: the dashboard will have tables and no charts" >&2

run: setup charts ## build, run the sample pipeline and print the revenue table (PIPELINE=… for another)
	@for product in paidline paidline-ingest paidline-reconstruct paidline-publish; do \
	  swift build --product $$product >&2 || exit; done
	@"$$(swift build --show-bin-path)/paidline" run $(PIPELINE) --table

test: setup ## build and run all tests
	swift test --skip TidyTests

test-slow: readers slow-tools ## a release build's tests, the long ones too: faults, races, clocks, fuzzing
	@mkdir -p .build; set -o pipefail; \
	PAIDLINE_LONG=1 $(MAKE) --no-print-directory test-release 2>&1 | \
	  tee .build/test-slow.log | grep -v '^◇'
	@set -o pipefail; PAIDLINE_LONG=1 swift test --filter FaultWalkTests 2>&1 | \
	  tee -a .build/test-slow.log | grep -v '^◇'
	@$(MAKE) --no-print-directory test-sanitizers
	@$(MAKE) --no-print-directory instructions
	@PAIDLINE_LONG=1 $(MAKE) --no-print-directory test-spark
	@$(MAKE) --no-print-directory fuzz
	@$(MAKE) --no-print-directory site-check
	@$(MAKE) --no-print-directory package-check
	@echo; grep '^RESULT' .build/test-slow.log | sed 's/^RESULT //'

test-release: setup ## all tests in a release build, where only preconditions check the program
	swift test -c release -Xswiftc -enable-testing --scratch-path .build/release-tests

# A sanitized process is ten times slower and needs its own address space, so the tests of seconds
# and of limits are left out.
UNSANITIZED = StopTests|FetchEndingTests|limit.that.allows.no.thread

test-sanitizers: setup ## the tests of the stages under the thread and the address sanitizer
	@for sanitizer in thread address; do echo "The $$sanitizer sanitizer:"; \
	  ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.supp \
	  swift test --sanitize=$$sanitizer \
	    --scratch-path .build/$$sanitizer-sanitizer --filter 'StageTests|TemporaryFilesTests' \
	    --skip '$(UNSANITIZED)' || exit; \
	done

readers: setup charts
	@if ! command -v chromium >/dev/null || ! command -v sqlite3 >/dev/null; then \
	  $(call apt_install,chromium sqlite3 python3-venv); fi
	@python3 -I -m venv .build/readers
	@.build/readers/bin/pip install -q --disable-pip-version-check -r Tests/Readers/requirements.txt

slow-tools:
	@if command -v strace >/dev/null && command -v faketime >/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "strace and faketime are not installed; their tests are left out." >&2; exit 0; fi; \
	$(call apt_install,strace faketime)

test-spark: build ## the job of Pipelines/spark against one machine, where Java is installed
	@if ! command -v java >/dev/null; then \
	  echo "Java is not installed (openjdk-17-jre-headless): Spark is not tested." >&2; exit 0; fi; \
	python3 -I -m venv .build/spark && .build/spark/bin/pip install -q --disable-pip-version-check \
	  -r Pipelines/spark/requirements.txt && \
	PAIDLINE_BIN="$$(swift build --show-bin-path)" \
	  .build/spark/bin/python -W ignore::ResourceWarning -m unittest discover -v -s Pipelines/spark/tests

fuzz: setup ## let libFuzzer look for inputs that break the export reader (SECONDS_OF_FUZZING=60)
	swift build --package-path Fuzz -c release -Xswiftc -sanitize=fuzzer,address
	@bin="$$(swift build --package-path Fuzz -c release --show-bin-path)"; \
	swiftc -sanitize=fuzzer,address -Xlinker --whole-archive "$$bin/libFuzzExport.a" \
	  -Xlinker --no-whole-archive -lz -o "$$bin/fuzz-export" && \
	mkdir -p Fuzz/.build/found && SWIFT_BACKTRACE=enable=no "$$bin/fuzz-export" \
	  -max_total_time=$(SECONDS_OF_FUZZING) -max_len=65536 -timeout=10 -rss_limit_mb=2048 \
	  -dict=Fuzz/export.dict -artifact_prefix=Fuzz/.build/ Fuzz/.build/found Fuzz/Corpus

check: setup ## what a change must pass, here and in continuous integration: lint and all fast tests
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test

instructions: setup ## count the instructions of the walker and the row encoder against their limits
	@if ! command -v valgrind >/dev/null && command -v apt-get >/dev/null; then \
	  { $(call apt_install,valgrind); } 2>/dev/null || true; fi; \
	if ! command -v valgrind >/dev/null || [ "$$(uname -m)" != x86_64 ]; then \
	  echo "valgrind for x86_64 is not there: instructions are not counted." >&2; exit 0; fi; \
	$(RELEASE) --product InstructionCount >&2 && \
	Benchmarks/instructions.sh "$$(swift build -c release --show-bin-path)/InstructionCount"

format: ## format all Swift files in place
	swift format --in-place --recursive --parallel $(SWIFT_FILES)

lint: setup ## complain about format, imports of later layers, links and pages; builds what make test runs
	swift format lint --strict --recursive --parallel $(SWIFT_FILES)
	swift test --filter TidyTests

release: setup ## optimised executables with the Swift runtime inside, in .build/dist/bin
	@for product in $(PROGRAMS); do $(RELEASE) --product $$product >&2 || exit; done
	@bin="$$(swift build -c release --show-bin-path)"; rm -rf $(DIST)/bin && mkdir -p $(DIST)/bin && \
	objcopy="$$(dirname "$$(readlink -f "$$(command -v swift)")")/llvm-objcopy" && \
	for product in $(PROGRAMS); do "$$objcopy" --strip-all -R .swift_modhash \
	  -R .note.gnu.build-id "$$bin/$$product" $(DIST)/bin/$$product || exit; done && \
	for stage in $(STAGES); do ln -s paidline $(DIST)/bin/$$stage || exit; done && \
	$(DIST)/bin/paidline --version && ls -l $(DIST)/bin

package: release ## a Debian package of them, what they are made of, and SHA256SUMS, in .build/dist
	@command -v dpkg-shlibdeps >/dev/null || { $(call apt_install,dpkg-dev); }
	@export SOURCE_DATE_EPOCH="$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)}"; \
	rm -f $(DIST)/paidline* $(DIST)/SHA256SUMS; deb="$$(Packaging/deb.sh $(DIST)/bin $(DIST))" && \
	swift package show-dependencies --format json | \
	  python3 Packaging/sbom.py $(DIST)/bin/paidline NOTICE "$${deb%.deb}.cdx.json" && \
	cd $(DIST) && sha256sum paidline* | tee SHA256SUMS

package-check: package package-tools readers ## check the package: lintian, manual, an installed one
	@Packaging/check.sh $(DIST) .build/readers/bin/python

package-tools:
	@for tool in lintian mandoc man fish zsh minisign debootstrap systemd-nspawn; do \
	  command -v $$tool >/dev/null || break; done && command -v $$tool >/dev/null && exit; \
	if ! command -v apt-get >/dev/null; then exit 0; fi; \
	{ $(call apt_install,lintian mandoc man-db fish zsh minisign debootstrap systemd-container); } || \
	  echo "some tools cannot be installed; what needs them is left out." >&2

site: ## the pages as a site with search, in .build/site
	@python3 -I -m venv .build/site-tools
	@.build/site-tools/bin/pip install -q --disable-pip-version-check -r Packaging/site/requirements.txt
	@rm -rf .build/site-pages && mkdir -p .build/site-pages && \
	git ls-files -z --cached --others --exclude-standard '*.md' Docs Pipelines LICENSE NOTICE | \
	  xargs -0 cp --parents -t .build/site-pages
	@NO_MKDOCS_2_WARNING=1 .build/site-tools/bin/mkdocs build --strict -f Packaging/site/mkdocs.yml
	@echo "The site is in .build/site; python3 -I -m http.server -d .build/site shows it."

site-check: site
	@python3 Tests/Readers/site.py .build/site

docs: setup ## write the pages that are computed: for analysts, and what the stories show
	PAIDLINE_WRITE_DOCS=1 swift test --filter 'AnalystDocsTests|CoverageTests'

pictures: readers ## take the pictures of the documents from the sample's dashboard (Docs/images)
	@$(MAKE) --no-print-directory run >/dev/null
	@.build/readers/bin/python Tests/Readers/pictures.py var/sample/report.html Docs/images

released-files: setup ## keep both databases of the release to come for the tests of upgrades
	@version="$$(sed -n 's/.*version = "\(.*\)"/\1/p' Sources/Basics/Diagnostics/Release.swift)"; \
	if grep -q "^## $$version " CHANGELOG.md; then \
	  echo "$$version is published: its files in Tests/Released never change." >&2; exit 1; fi; \
	PAIDLINE_WRITE_RELEASED="$$version" swift test --filter ReleasedFilesTests

sample: setup ## write SampleData anew, the same but for signatures unless the generator changed
	swift build --product paidline-sample >&2
	@"$$(swift build --show-bin-path)/paidline-sample" SampleData --showcase

bench-build: setup
	@for product in paidline paidline-ingest paidline-reconstruct paidline-sample paidline-bench; do \
	  $(RELEASE) --product $$product >&2 || exit; done

bench: bench-build ## Paidline, its floor and other tools, and all forms of exports (Benchmarks/README.md)
	@Benchmarks/environment.sh .build/benchmarks
	@python3 Benchmarks/bench.py --bin "$$(swift build -c release --show-bin-path)" \
	  --work "$(BENCH)" --python .build/benchmarks/bin/python --customers $(BENCH_SCALES) \
	  --runs $(BENCH_RUNS) --peer-runs $(BENCH_PEER_RUNS) --bought-nothing $(BENCH_BOUGHT_NOTHING)
	@$(MAKE) --no-print-directory bench-forms

bench-forms: bench-build ## how fast each form of an export is read, as a table
	@python3 Benchmarks/forms.py --bin "$$(swift build -c release --show-bin-path)" \
	  --work "$(BENCH)" --customers $(BENCH_FORMS_CUSTOMERS) --runs $(BENCH_RUNS)

bench-nights: bench-build ## one run a night over 200 nights, against a run over everything
	@python3 Benchmarks/nights.py --bin "$$(swift build -c release --show-bin-path)" \
	  --work "$(BENCH)" --customers $(BENCH_CUSTOMERS) --nights $(BENCH_NIGHTS)

bench-truth: bench-build ## how many amounts are right in hard stores, as a table (Benchmarks/README.md)
	@bin="$$(swift build -c release --show-bin-path)"; stores=; \
	for name in $(BENCH_HARD); do \
	seeds="$(BENCH_HARD_SEEDS)"; [ $$name != small-shop ] || seeds="$(BENCH_SMALL_SEEDS)"; \
	for seed in $$seeds; do \
	  store="$(BENCH)/hard-$$name-$$seed"; stores="$$stores $$store"; rm -rf "$$store"; \
	  "$$bin/paidline-sample" "$$store" --hard "$$name" --seed "$$seed" \
	    --customers $(BENCH_HARD_CUSTOMERS) >/dev/null || exit; \
	done; done; \
	"$$bin/paidline-bench" truth --kinds $(BENCH_HARD_KINDS) $$stores

bench-smoke: bench-build ## time, memory and truth score of one run over 15,000 synthetic customers
	@bin="$$(swift build -c release --show-bin-path)"; \
	stamp="$(BENCH)/store-$(BENCH_CUSTOMERS)/.written"; \
	if [ ! -e "$$stamp" ] || [ "$$bin/paidline-sample" -nt "$$stamp" ]; then \
	  rm -rf "$(BENCH)/store-$(BENCH_CUSTOMERS)"; \
	  "$$bin/paidline-sample" "$(BENCH)/store-$(BENCH_CUSTOMERS)" --customers $(BENCH_CUSTOMERS) && \
	  touch "$$stamp"; fi; \
	"$$bin/paidline-bench" "$(BENCH)/store-$(BENCH_CUSTOMERS)" --customers $(BENCH_CUSTOMERS)

clean: ## remove everything that was built
	rm -rf .build
