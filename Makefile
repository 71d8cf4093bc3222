# flockd: run · test · lint · bench · docker · install are the commands that anyone has to know.
#
#   make run                  set up what is missing, build, start flockd (ARGS="--boids 2000" to add options)
#   make                      build the server, the terminal client and the page into build/
#   make test                 set up what the tests need and run them all
#   make lint, make format    check the sources, and lay them out
#   make bench                measure the engine and the packed encoding, about two minutes
#   make bench-fanout         measure flockd and its peers with up to 5,000 clients, about twelve minutes
#   make bench-crowd          measure what a crowd does to flockd, about three minutes
#   make fuzz                 look for inputs that break a decoder, FUZZ_SECONDS=60 each
#   make docker               build the image flockd
#   make install              into PREFIX (/usr/local), below DESTDIR if given
#   make SANITIZE=1 ...       the same with AddressSanitizer and UndefinedBehaviorSanitizer, in build/asan
#
# run, test, bench*, lint and fuzz install Debian packages that are missing (docker/setup.sh), for which they need root or sudo.

MAKEFLAGS += --no-builtin-rules --no-print-directory
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
ARGS    ?=

ifeq ($(SANITIZE),1)
BUILD     := build/asan
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(SANITIZE),thread)
BUILD     := build/tsan
SAN_FLAGS := -fsanitize=thread -fno-omit-frame-pointer
else
BUILD     := build
endif

CC     ?= cc
# -ffp-contract=off: the same seed gives the same bits whether or not the processor has fused multiply-add.
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
# msgpack-c's pkg-config module is "msgpack" up to Debian 12 and "msgpack-c" from Debian 13 on.
MSGPACK := $(shell pkg-config --exists msgpack-c 2>/dev/null && echo msgpack-c || echo msgpack)
CPPFLAGS_ALL := -Iprotocol -Iserver -D_GNU_SOURCE -DFLOCKD_VERSION='"$(VERSION)"' -DFLOCKD_PREFIX='"$(PREFIX)"' \
               $(patsubst -I%,-isystem %,$(shell pkg-config --cflags libuv libwebsockets $(MSGPACK) ncursesw 2>/dev/null))
CFLAGS_ALL   := -std=c17 $(WARN) -ffp-contract=off -fno-math-errno -pthread $(SAN_FLAGS) $(CFLAGS)

PROTOCOL_SRC := $(wildcard protocol/*.c)
SIM_SRC      := $(wildcard server/sim/*.c server/sim/models/*.c) server/sim/wide/choose.c
RUNNER_SRC   := server/flock_sim.c server/flock_sim_options.c server/flock_csv.c
SERVER_SRC   := $(filter-out $(RUNNER_SRC),$(wildcard server/*.c server/room/*.c server/hub/*.c server/net/*.c))
MAIN_SRC     := server/main.c
TERM_SRC     := $(wildcard clients/term/*.c)
UNIT_SRC     := $(wildcard tests/unit/*.c)
LOAD_SRC     := $(wildcard tests/bench/load/*.c)
C_FILES      := $(wildcard protocol/*.[ch] server/*.[ch] server/*/*.[ch] server/sim/models/*.[ch] server/sim/wide/*.[ch] clients/term/*.[ch] \
                tests/*/*.[ch] tests/bench/load/*.[ch])

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
PROTOCOL_OBJ := $(call obj,$(PROTOCOL_SRC))
# The engine's inner loops, once for every width that processors of this family may have; see wide.h.
WIDTHS        := $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),4 8 16,4)
WIDE_FLAGS_4  := -DWIDE=4
WIDE_FLAGS_8  := -DWIDE=8 -mavx2
WIDE_FLAGS_16 := -DWIDE=16 -mavx512f -mavx512dq -mavx512vl -mavx512bw
SIM_OBJ      := $(call obj,$(SIM_SRC)) $(WIDTHS:%=$(BUILD)/obj/server/sim/wide/kernel_%.o)
RUNNER_OBJ   := $(call obj,$(RUNNER_SRC))
SERVER_OBJ   := $(call obj,$(SERVER_SRC))
TERM_OBJ     := $(call obj,$(TERM_SRC))
LOAD_OBJ     := $(call obj,$(LOAD_SRC))
UNIT_BIN     := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNIT_SRC))

LIBS_SERVER := $(shell pkg-config --libs libuv libwebsockets $(MSGPACK) 2>/dev/null) -lm
LIBS_LOAD   := $(shell pkg-config --libs $(MSGPACK) 2>/dev/null) -lm
LIBS_TERM   := $(shell pkg-config --libs libuv libwebsockets $(MSGPACK) ncursesw 2>/dev/null) -lm

.PHONY: all run test bench bench-packed bench-fanout bench-crowd lint lint-c lint-tidy lint-web lint-scripts format docker install clean help programs web unit load

all: programs web

programs: $(BUILD)/flockd $(BUILD)/flock-term $(BUILD)/flock-sim

$(BUILD)/flockd: $(SERVER_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

$(BUILD)/flock-term: $(TERM_OBJ) $(PROTOCOL_OBJ)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_TERM)

$(BUILD)/flock-sim: $(RUNNER_OBJ) $(SIM_OBJ)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ -lm

# The load generator, and what it is held against.
load: $(BUILD)/flock-load $(BUILD)/floor

$(BUILD)/flock-load: $(LOAD_OBJ) $(call obj,clients/term/url.c) $(PROTOCOL_OBJ)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_LOAD)

$(BUILD)/floor: $(call obj,tests/bench/floor.c)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^

# A unit test is one file; it links everything but the two main functions.
unit: $(UNIT_BIN)
$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(filter-out $(call obj,$(MAIN_SRC)),$(SERVER_OBJ)) $(SIM_OBJ) $(PROTOCOL_OBJ) \
                  $(filter-out $(call obj,clients/term/main.c),$(TERM_OBJ))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_TERM) -lcmocka -lcjson

# This one runs the program.
$(BUILD)/tests/test_flock_sim: | $(BUILD)/flock-sim

# Not a test, but what the page's tests decode.
unit: $(BUILD)/packed-stream
$(BUILD)/packed-stream: $(BUILD)/obj/tests/fuzz/packed_stream.o $(PROTOCOL_OBJ)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

# Rewritten when a flag changes, and with it everything that was built with the old ones.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$(subst ",\",$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS) $(CFLAGS_ALL) $(LDFLAGS))" >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
FORCE:

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# Their loops over all boids take a third less time where the compiler makes vectors of them.
$(BUILD)/obj/protocol/packed_%.o: CFLAGS_ALL += -O3

$(BUILD)/obj/server/sim/wide/kernel_%.o: server/sim/wide/kernel.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS) $(CFLAGS_ALL) $(WIDE_FLAGS_$*) -MMD -MP -c -o $@ $<

# The page: everything in clients/web but its tests and what npm put there.
WEB_SRC := $(wildcard clients/web/*.mjs clients/web/src/*)

web: $(BUILD)/web/.stamp
$(BUILD)/web/.stamp: $(WEB_SRC) clients/web/node_modules/.package-lock.json
	node clients/web/build.mjs --out $(@D)
	@touch $@

-include $(shell [ -d $(BUILD)/obj ] && find $(BUILD)/obj -name '*.d')

# What pkg-config says is read when make starts, so what installs packages builds in a make of its own:
# with a job for each processor, unless -j says otherwise.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

run:
	@docker/setup.sh build
	@$(MAKE) $(JOBS) all
	@exec $(BUILD)/flockd $(ARGS)

test:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) all unit load
	@$(MAKE) $(JOBS) SANITIZE=1 programs unit load
	@$(MAKE) -s tests/node_modules/.package-lock.json
	@node tests/run.mjs

bench:
	@docker/setup.sh build
	@$(MAKE) $(JOBS) $(BUILD)/flock-sim
	@tests/bench/engine.sh $(BUILD)/flock-sim
	@$(MAKE) bench-packed

bench-packed: $(BUILD)/bench-packed $(BUILD)/flockd clients/web/node_modules/.package-lock.json tests/node_modules/.package-lock.json
	@$<
	@echo
	@node tests/bench/packed.mjs

$(BUILD)/bench-packed: $(BUILD)/obj/tests/bench/packed.o $(SIM_OBJ) $(PROTOCOL_OBJ)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

bench-fanout bench-crowd: bench-%:
	@docker/setup.sh build
	@$(MAKE) $(JOBS) programs web load
	@$(MAKE) -s tests/bench/node_modules/.package-lock.json
	@node tests/bench/$*.mjs

%/node_modules/.package-lock.json: %/package.json %/package-lock.json
	npm --prefix $* ci --no-progress --loglevel=error
	@touch $@

lint:
	@docker/setup.sh build lint
	@$(MAKE) lint-c lint-tidy lint-web lint-scripts

SHELL_FILES := docker/setup.sh tests/bench/engine.sh .ci/run

lint-c:
	clang-format --dry-run -Werror $(C_FILES)
	clang -fsyntax-only $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(filter %.c,$(C_FILES))
	cppcheck -j $(shell nproc) --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=varFuncNullUB -Iprotocol -Iserver $(filter %.c,$(C_FILES))

# A process for each file: within one, clang-tidy 14 takes the second file's va_list for uninitialised.
lint-tidy:
	printf '%s\n' $(filter %.c,$(C_FILES)) | \
	    xargs -P $(shell nproc) -I FILE clang-tidy --quiet FILE -- $(CPPFLAGS_ALL) $(CFLAGS_ALL)

lint-web: clients/web/node_modules/.package-lock.json
	npm --prefix clients/web run --silent check

lint-scripts:
	shellcheck $(SHELL_FILES)
	mandoc -Tlint -W warning docs/*.1

format:
	clang-format -i $(C_FILES)

docker:
	docker build -f docker/Dockerfile --build-arg VERSION=$(VERSION) -t flockd .

install: all
	install -D -t $(DESTDIR)$(PREFIX)/bin build/flockd build/flock-term build/flock-sim
	rm -rf $(DESTDIR)$(PREFIX)/share/flockd/web
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/flockd/web build/web/*
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 docs/*.1

help:
	@sed -n '/^$$/q; s/^#\( \|$$\)//p' Makefile

clean:
	rm -rf build

# Fuzzing. A target is tests/fuzz/fuzz_NAME.c, its corpus tests/fuzz/corpus/NAME. The tests replay the corpora;
# `make fuzz` looks for more, each for FUZZ_SECONDS, and leaves what it finds in build/fuzz.
FUZZ_SECONDS ?= 60
FUZZ_NAMES   := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

unit: $(FUZZ_NAMES:%=$(BUILD)/tests/fuzz_%)
$(BUILD)/tests/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o $(PROTOCOL_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

.PHONY: fuzz $(FUZZ_NAMES:%=fuzz-%)
fuzz:
	@docker/setup.sh build fuzz
	@$(MAKE) $(FUZZ_NAMES:%=fuzz-%)

$(FUZZ_NAMES:%=fuzz-%): fuzz-%:
	@mkdir -p build/fuzz/$*
	clang $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	    -o build/fuzz/fuzz_$* tests/fuzz/fuzz_$*.c $(PROTOCOL_SRC) $(LIBS_SERVER)
	build/fuzz/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=5 -malloc_limit_mb=8 -print_final_stats=1 \
	    -artifact_prefix=build/fuzz/ build/fuzz/$* tests/fuzz/corpus/$*

# The README's table of options, from the program.
.PHONY: readme
readme: $(BUILD)/flockd
	{ sed '/<!-- options: begin/q' README.md; $< --help-table; sed -n '/<!-- options: end/,$$p' README.md; } >$(BUILD)/README.md
	mv $(BUILD)/README.md README.md
