# flockd: the main commands are run, test, lint, bench, docker and install.
#
#   make run                  install missing packages, build, start flockd (ARGS="--boids 2000" adds options);
#                             rooms are saved in ~/.local/share/flockd (ARGS="--data none": nowhere)
#   make                      build the server, the terminal client and the page into build/
#   make check                run the fast tests, within a minute
#   make test                 install the packages for the tests and run each test once, about twelve minutes;
#                             ONLY=panel: only files with that name, TEST='a slider': only tests with that name, both
#                             from all suites
#   make test-all             also run tests with sanitizers, on arm64, in Firefox and WebKit, the image and long runs
#                             of the presets, within half an hour
#   make protocol             generate files from the table of messages, protocol/schema.mjs
#   make lint, make format    check the sources; format them
#   make bench                measure the engine and the packed encoding, about two minutes
#   make bench-fanout         measure flockd and its peers with up to 5,000 clients, about twelve minutes
#   make bench-overload       measure flockd with more clients than a processor can serve, about six minutes
#   make bench-crowd          measure flockd with a crowd of clients, about three minutes
#   make bench-rooms          measure the cost of many rooms, about fifteen minutes
#   make bench-download       measure the longest turn of a net thread while a recording is downloaded
#   make bench-class          measure ticks with 128 cursors to choose from
#   make bench-seek           measure seeking in an hour's recording, about five minutes
#   make looks               show all presets on one picture, build/looks/sheet.png, about half an hour; ARGS="--quick":
#                             about three minutes; ARGS="--help" lists the options
#   make looks-terminal       show flock-term in xterm, presets, themes and panels, on build/looks/terminal.png, about
#                             fifteen minutes; ARGS="--help" lists the options
#   make test-terminals       test each key and click of flock-term in 3 sizes and 7 types of terminals, about three
#                             minutes
#   make bench-terminal       measure processor time, bytes and memory of flock-term, about two minutes
#   make bench-page           measure the page in Chromium, its memory for ten minutes; ARGS="--help" lists the options
#   make bench-start          measure the time until Chromium, Firefox and WebKit show the flock
#   make test-threads         run the tests of several threads with ThreadSanitizer
#   make coverage             print how many lines of each folder the tests run, about four minutes
#   make mutants              make 300 small changes of the sources, print the changes that no test notices, about an
#                             hour; ARGS="--seed 7 --count 50 --only protocol/" makes other changes
#   make mutants-unit         make such changes of C sources, and run the unit tests only: about fifteen minutes
#   make attack               attack flockd in about fifty ways beside a good client, about six minutes
#   make soak                 let clients join, steer and leave for SECONDS=1800; memory, descriptors and lateness must
#                             not grow
#   make simulate             run the server many times in simulated time for SECONDS=1800; see tests/simulation/life.c
#   make fuzz                 search inputs that break the server or a decoder, FUZZ_SECONDS=60 each
#   make cluster              start a cluster on this machine: NATS, two nodes with rooms, two with viewers; ARGS="--nats 3":
#                             three NATS servers; Ctrl-C ends all
#   make cluster-test         kill, freeze and end nodes of a cluster with 50 rooms and 500 clients, about half an hour
#   make docker               build the image flockd
#   make sbom                 list the Debian and npm packages that flockd contains, in build/sbom.json
#   make install              install programs, page, manual pages and completions (bash, zsh, fish) into PREFIX
#                             (/usr/local), below DESTDIR if given; make uninstall removes them
#   make SANITIZE=1 ...       build with AddressSanitizer and UndefinedBehaviorSanitizer, in build/asan
#   make V=1 ...              print the compiler's commands; make -s ...: print warnings and errors only
#
# run, check, test, bench*, lint and fuzz install missing Debian packages (docker/setup.sh); that needs root or sudo.

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
# Compiles in 2/3 of the time of -O2 -g, and runs about 4 % slower. Reports have line numbers.
CFLAGS    ?= -O1 -g1
else ifeq ($(SANITIZE),thread)
BUILD     := build/tsan
SAN_FLAGS := -fsanitize=thread -fno-omit-frame-pointer
CFLAGS    ?= -O1 -g1
else ifeq ($(SANITIZE),fuzz)
BUILD     := build/fuzzing
SAN_FLAGS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CC        := clang
else ifeq ($(COVERAGE),1)
BUILD     := build/coverage
# A counter that two threads change at the same time may be too low, but is never 0.
SAN_FLAGS := --coverage -fprofile-update=single
CFLAGS    ?= -O1 -g1
else ifeq ($(MUTANTS),1)
BUILD     := build/mutants
SAN_FLAGS := -fPIC -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS    ?= -O1
else ifeq ($(ARCH),arm64)
BUILD     := build/arm64
CC        := aarch64-linux-gnu-gcc
LIBRARIES := build/arm64-libraries
# By default pkg-config finds the packages of this machine.
PKG_CONFIG = env PKG_CONFIG_LIBDIR=$(LIBRARIES)/usr/lib/aarch64-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(LIBRARIES) pkg-config
else
BUILD     := build
endif
PKG_CONFIG ?= pkg-config

CC     ?= cc
# -ffp-contract=off: the same seed gives the same bits whether or not the processor has fused multiply-add.
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
# msgpack-c's pkg-config module is "msgpack" up to Debian 12 and "msgpack-c" from Debian 13 on.
MSGPACK := $(shell $(PKG_CONFIG) --exists msgpack-c 2>/dev/null && echo msgpack-c || echo msgpack)
# The terminal's texts, which texts.mjs makes from the page's; see $(TEXTS).
TEXTS := build/texts/texts_ids.h

CPPFLAGS_ALL := -Iprotocol -Iserver -Iclients -Ibuild/texts -D_GNU_SOURCE -DFLOCKD_VERSION='"$(VERSION)"' -DFLOCKD_PREFIX='"$(PREFIX)"' \
               $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags libuv libwebsockets openssl zlib $(MSGPACK) jansson sqlite3 libutf8proc ncursesw libqrencode 2>/dev/null)) \
               $(if $(LIBRARIES),-isystem $(LIBRARIES)/usr/include -isystem $(LIBRARIES)/usr/include/aarch64-linux-gnu)

# Hardening options that this compiler and this processor support: make tries each option. It uses the highest level of
# _FORTIFY_SOURCE that the C library accepts without a warning; this option needs -O. Builds with sanitizers have no
# hardening, because _FORTIFY_SOURCE replaces calls that the sanitizers check.
try     = $(shell $(CC) $(CFLAGS) -Werror $(1) -include stdio.h -x c -c -o /dev/null /dev/null 2>/dev/null && echo '$(1)')
fortify = $(call try,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(1))
ifeq ($(SAN_FLAGS),)
HARDEN  := -fPIE -fstack-protector-strong $(call try,-fstack-clash-protection) $(call try,-fcf-protection) \
           $(call try,-mbranch-protection=standard) $(or $(call fortify,3),$(call fortify,2))
HARDEN_LINK := -pie -Wl,-z,relro,-z,now -Wl,-z,noexecstack
endif

CFLAGS_ALL   := -std=c17 $(WARN) -ffp-contract=off -fno-math-errno -pthread $(SAN_FLAGS) $(HARDEN) $(CFLAGS)
LDFLAGS_ALL  := $(HARDEN_LINK) $(LDFLAGS)

PROTOCOL_SRC := $(wildcard protocol/*.c)
SIM_SRC      := $(wildcard server/sim/*.c) server/sim/wide/choose.c
WIDE_SRC     := server/sim/wide/kernel.c $(wildcard server/sim/models/*.c)
# The parser of options, which the server, flock-term and flock-sim share.
OPTIONS_SRC  := server/base/options.c server/base/log.c server/base/writer.c protocol/text.c
OFFLINE_SRC  := $(wildcard server/offline/*.c)
SERVER_SRC   := $(wildcard server/*.c $(addprefix server/,base/*.c config/*.c scene/*.c past/*.c room/*.c hub/*.c cluster/*.c net/*.c net/*/*.c store/*.c))
# A plugin, which flockd loads only if --nats is given. Only it uses libnats.
NATS_SRC     := $(wildcard server/cluster/nats/*.c) server/cluster/broker_probe.c
MAIN_SRC     := server/main.c
TERM_SRC     := $(wildcard clients/term/*.c clients/term/*/*.c)
UNIT_SRC     := $(wildcard tests/unit/test_*.c)
LOAD_SRC     := $(wildcard tests/bench/load/*.c)
C_FILES      := $(wildcard protocol/*.[ch] server/*.[ch] server/*/*.[ch] server/*/*/*.[ch] clients/term/*.[ch] clients/term/*/*.[ch] \
                tests/*/*.[ch] tests/bench/load/*.[ch])

# A build with COVERED="server/room/% ..." compiles these sources only, and has all other objects of the release build.
obj      = $(foreach source,$(1),$(call home_of,$(source))/obj/$(source:.c=.o))
home_of  = $(if $(or $(if $(COVERED),,all),$(filter $(COVERED),$(1))),$(BUILD),build)
PROTOCOL_OBJ := $(call obj,$(PROTOCOL_SRC))
# The models and the engine's inner loops are compiled for each vector width of this processor family; see wide.h.
WIDTHS        := $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),4 8 16,4)
WIDE_FLAGS_4  := -DWIDE=4
WIDE_FLAGS_8  := -DWIDE=8 -mavx2
WIDE_FLAGS_16 := -DWIDE=16 -mavx512f -mavx512dq -mavx512vl -mavx512bw
SIM_OBJ      := $(call obj,$(SIM_SRC)) $(foreach width,$(WIDTHS),$(WIDE_SRC:%.c=$(call home_of,server/sim)/obj/%_$(width).o))
OFFLINE_OBJ  := $(call obj,$(OFFLINE_SRC) server/config/flock_options.c $(OPTIONS_SRC))
ROOM_OBJ     := $(call obj,$(wildcard server/scene/*.c server/past/*.c server/room/*.c) $(addprefix server/base/,digest.c ends.c grow.c ip.c key.c network.c refusal.c tries.c waiting.c))
SERVER_OBJ   := $(call obj,$(SERVER_SRC))
NATS_OBJ     := $(patsubst %.c,$(BUILD)/obj/plugin/%.o,$(NATS_SRC))
# With the room of --demo, and the part of a server's session that chooses what to send.
TERM_OBJ     := $(sort $(call obj,$(TERM_SRC) $(OPTIONS_SRC) server/base/grow.c $(addprefix server/net/,session/outlet.c session/line.c gate/share.c)) \
                $(ROOM_OBJ) $(SIM_OBJ))
LOAD_OBJ     := $(call obj,$(LOAD_SRC))
UNIT_BIN     := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNIT_SRC))

LIBS_SERVER := $(shell $(PKG_CONFIG) --libs libuv libwebsockets openssl zlib $(MSGPACK) jansson sqlite3 libutf8proc 2>/dev/null) -lm
LIBS_SIM    := $(shell $(PKG_CONFIG) --libs $(MSGPACK) zlib libcrypto libutf8proc 2>/dev/null) -lm
LIBS_LOAD   := $(shell $(PKG_CONFIG) --libs $(MSGPACK) 2>/dev/null) -lm
LIBS_TERM   := $(shell $(PKG_CONFIG) --libs libuv libwebsockets openssl $(MSGPACK) jansson ncursesw libqrencode zlib libutf8proc 2>/dev/null) -lm

.PHONY: all run check test test-all attack bench bench-packed bench-fanout bench-overload bench-crowd bench-rooms bench-seek bench-class bench-download bench-terminal bench-page bench-start lint lint-quick lint-sources lint-format lint-c lint-tidy lint-analyzer lint-web lint-scripts format docker install uninstall clean help programs web unit load
.PHONY: test-threads threads soak simulate

# Prints a line for each built file. V=1: prints the commands; -s: prints nothing.
SAY = $(if $(V),,@$(if $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,printf 'building %s\n' $@; ))

PROGRAM_NAMES := flockd flock-term flock-sim
PROGRAMS      := $(PROGRAM_NAMES:%=$(BUILD)/%)
PLUGIN        := $(BUILD)/flockd-nats.so

all: programs web completions

# For bash, zsh and fish, from the programs' tables of options.
.PHONY: completions
completions: $(BUILD)/completions/.stamp
$(BUILD)/completions/.stamp: server/base/completions.mjs $(PROGRAMS)
	$(SAY)node $< $(@D) $(PROGRAMS)
	@touch $@

programs: $(PROGRAMS) $(PLUGIN)

$(BUILD)/flockd: $(SERVER_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_SERVER)

$(PLUGIN): $(NATS_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(filter-out -pie,$(LDFLAGS_ALL)) -shared -o $@ $^ -lnats
$(BUILD)/obj/plugin/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY)$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS) $(filter-out -fPIE,$(CFLAGS_ALL)) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$(BUILD)/flock-term: $(TERM_OBJ) $(PROTOCOL_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_TERM)

$(BUILD)/flock-sim: $(sort $(OFFLINE_OBJ) $(ROOM_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ))
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_SIM)

# The load generator, and the minimal server that the measurements compare flockd with.
load: $(BUILD)/flock-load $(BUILD)/floor

$(BUILD)/flock-load: $(LOAD_OBJ) $(call obj,clients/term/net/url.c) $(PROTOCOL_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_LOAD)

$(BUILD)/floor: $(call obj,tests/bench/floor.c)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^

# Measure seeking in a long recording, and the ticks of a class with many cursors.
$(BUILD)/seek $(BUILD)/class $(BUILD)/additions: $(BUILD)/%: $(call obj,tests/bench/%.c) $(ROOM_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $(sort $^) $(LIBS_SIM)

# Tests link the objects that they use, without the two main functions. Tests for arm64 use rooms, engine and protocol only.
# Tests with ThreadSanitizer use no code of net, config and the terminal.
ifeq ($(ARCH),arm64)
TESTED_OBJ := $(ROOM_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ)
LIBS_UNIT  := $(shell $(PKG_CONFIG) --libs libcrypto zlib libutf8proc $(MSGPACK) 2>/dev/null) -lm
else ifeq ($(SANITIZE),thread)
TESTED_OBJ := $(sort $(call obj,$(wildcard server/base/*.c server/hub/*.c server/cluster/*.c server/store/*.c)) $(ROOM_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ))
LIBS_UNIT  := $(LIBS_SERVER)
else
TESTED_OBJ := $(filter-out $(call obj,$(MAIN_SRC) clients/term/main.c),$(sort $(SERVER_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ) $(TERM_OBJ)))
LIBS_UNIT  := $(LIBS_SERVER) $(LIBS_TERM)
endif
$(BUILD)/all.a: $(TESTED_OBJ)
	@rm -f $@
	@$(AR) rcsT $@ $^

# Programs in which a test can make allocations fail.
FAILING_FLAGS := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc
FAILING_OBJ   := $(call obj,tests/attack/failing.c)

# For a mutant, make compiles one object and links this library again, instead of each test. The wrappers of a test replace the
# library's own.
$(BUILD)/all.so: $(TESTED_OBJ) $(FAILING_OBJ)
	@$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) $(FAILING_FLAGS) $(FAST_LINK) -shared -o $@ $^ $(LIBS_UNIT)

# A unit test is one file.
unit: $(UNIT_BIN)
$(BUILD)/tests/%: $(call obj,tests/unit/%.c tests/unit/filter.c) $(BUILD)/all.$(if $(MUTANTS),so,a)
	@mkdir -p $(@D)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) $(FAST_LINK) -o $@ $^ $(LIBS_UNIT) -lcmocka -lcjson

# About a hundred test programs are built twice. Without optimization a test compiles in 1/6 of the time. The linker gold,
# if installed, takes half the time. The optimized tests compare all pairs of thousands of boids or targets.
OPTIMIZED_TESTS := $(patsubst %,tests/unit/test_sim_%.c,measures clusters targets)
$(call obj,$(filter-out $(OPTIMIZED_TESTS),$(UNIT_SRC))): private CFLAGS_ALL += -O0 -U_FORTIFY_SOURCE
FAST_LINK := $(if $(shell $(CC) -fuse-ld=gold -Wl,--version 2>/dev/null),-fuse-ld=gold)

# Unit tests of the engine, the rooms and the protocol, built for arm64 and run by an emulator. On arm64 all unit tests
# run natively.
ARM64_TESTS := sim_change sim_golden sim_laws sim_noise control control_flock cursor names people_shown stream \
               packed_malformed packed_vectors \
               protocol protocol_bytes protocol_control protocol_hello protocol_positions protocol_room protocol_server protocol_vectors \
               recordings room_keys room_view
.PHONY: arm64 arm64-tests
arm64-tests: $(ARM64_TESTS:%=$(BUILD)/tests/test_%)
build/arm64-libraries: docker/arm64-libraries.sh
	$< $@
	@touch $@
arm64: $(if $(filter aarch64-%,$(shell $(CC) -dumpmachine)),,build/arm64-libraries)
	@$(if $<,$(MAKE) $(JOBS) ARCH=arm64 arm64-tests)

# This test makes allocations fail.
$(BUILD)/tests/test_room_memory: private LDFLAGS_ALL += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

# These tests simulate time and threads.
$(BUILD)/tests/test_hub_clock $(BUILD)/tests/test_checkpoints_pace: $(BUILD)/obj/tests/simulation/threads.o

# This test loads the plugin and starts a NATS server.
$(BUILD)/tests/test_broker_nats: | $(PLUGIN) build/nats/nats-server

# These tests run flock-sim.
$(BUILD)/tests/test_flock_sim $(BUILD)/tests/test_flock_sim_sweep: | $(BUILD)/flock-sim

# This program is not a test. It writes the stream that the page's tests decode.
unit: $(BUILD)/packed-stream
$(BUILD)/packed-stream: $(BUILD)/obj/tests/fuzz/packed_stream.o $(PROTOCOL_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_SERVER)

# These tests and this program, too.
FAILING_TESTS := $(patsubst %,$(BUILD)/tests/test_%,alloc_term film session)
$(FAILING_TESTS): $(FAILING_OBJ)
$(FAILING_TESTS): private LDFLAGS_ALL += $(FAILING_FLAGS)
unit: $(BUILD)/flockd-failing
$(BUILD)/flockd-failing: $(SERVER_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ) $(FAILING_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) $(FAILING_FLAGS) -o $@ $^ $(LIBS_SERVER)

# A client of the attacks.
unit: $(BUILD)/narrow
$(BUILD)/narrow: $(call obj,tests/attack/narrow.c)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^

# A node of a later release, for the suite cluster.
LATER_WRAPS := wire_seal wire_decode $(addprefix values_,write_lease write_route write_head write_beat write_take write_parcel write_answer add_facts)
$(BUILD)/flockd-later: $(filter-out $(call obj,server/cluster/versions.c),$(SERVER_OBJ)) $(SIM_OBJ) $(PROTOCOL_OBJ) $(call obj,tests/cluster/later.c)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) $(LATER_WRAPS:%=-Wl,--wrap=%) -o $@ $^ $(LIBS_SERVER)

# The server in simulated time (tests/simulation/life.c). Disk, threads and clock are simulated. The linker wraps the calls
# that the simulation checks.
SIMULATION_SRC   := $(wildcard tests/simulation/*.c) $(filter-out $(MAIN_SRC) server/net/% $(wildcard server/store/database*.c) server/store/endings.c server/store/check.c,$(SERVER_SRC)) \
                    $(addprefix server/net/,session/later.c session/outlet.c session/line.c gate/share.c session/roster.c)
SIMULATION_WRAPS := room_tick room_snapshot room_save room_save_leaving room_create room_receive link_want_key links_take_reply log_line \
                    turns_charge
unit: $(BUILD)/simulation
$(BUILD)/simulation: $(call obj,$(SIMULATION_SRC)) $(SIM_OBJ) $(PROTOCOL_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) $(SIMULATION_WRAPS:%=-Wl,--wrap=%) -o $@ $^ $(LIBS_SERVER)

# This file changes when a flag changes. All objects depend on it.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$(subst ",\",$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS) $(CFLAGS_ALL) $(LDFLAGS_ALL))" >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
FORCE:

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(SAY)$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

# With -O3 the compiler vectorizes the loops over all boids, which then take 2/3 of the time.
$(BUILD)/obj/protocol/packed_%.o $(BUILD)/lint/protocol/packed_%.analyzed: private CFLAGS_ALL += -O3
# -fno-trapping-math: the compiler vectorizes choices between floats. flockd does not read floating-point exception flags.
$(BUILD)/obj/server/room/gather.o $(BUILD)/lint/server/room/gather.analyzed: private CFLAGS_ALL += -O3 -fno-trapping-math

# flock-term's texts in all languages, from the page's and its own. Each build uses the same table.
TEXTS_SRC := clients/term/texts/generate.mjs clients/term/texts/texts.mjs
$(TEXTS): $(TEXTS_SRC) $(wildcard clients/web/src/texts/*.ts) clients/web/node_modules/.package-lock.json
	$(SAY)node $< $(@D)
build/texts/texts_table.h: $(TEXTS) ;
$(filter $(BUILD)/obj/clients/term/%,$(TERM_OBJ)) $(UNIT_SRC:%.c=$(BUILD)/obj/%.o) $(call obj,$(wildcard tests/fuzz/*.c)): | $(TEXTS)
$(patsubst %.c,$(BUILD)/lint/%.tidy,$(filter clients/term/% tests/%,$(filter %.c,$(C_FILES)))): | $(TEXTS)
$(patsubst %.c,$(BUILD)/lint/%.analyzed,$(TERM_SRC)): | $(TEXTS)

define WIDE_RULE
$$(BUILD)/obj/server/sim/%_$(1).o: server/sim/%.c $$(BUILD)/flags
	@mkdir -p $$(@D)
	$$(SAY)$$(CC) $$(CPPFLAGS_ALL) $$(CPPFLAGS) $$(CFLAGS_ALL) $$(WIDE_FLAGS_$(1)) -MMD -MP -c -o $$@ $$<
endef
$(foreach width,$(WIDTHS),$(eval $(call WIDE_RULE,$(width))))

# coverage prints the lines that tests run. mutants prints the changes of these lines that no test notices.
.PHONY: coverage mutants
coverage:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) COVERAGE=1 programs unit
	@$(MAKE) $(JOBS) programs test-web web $(BUILD)/packed-stream tests/node_modules/.package-lock.json
	@node tests/coverage/run.mjs $(ARGS)

mutants:
	-@$(MAKE) ARGS= coverage # may fail: mutants/run.mjs does not use tests that fail
	@node tests/mutants/run.mjs $(ARGS)

# Compiles only mutated sources for coverage. The tests of mutants come from the sanitized build.
MUTATED := protocol/% server/scene/% server/past/% server/room/% server/hub/runner_tick.c server/net/session/%
.PHONY: mutants-unit
mutants-unit:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) unit
	@$(MAKE) $(JOBS) COVERAGE=1 COVERED='$(MUTATED)' $(UNIT_SRC:tests/unit/%.c=build/coverage/tests/%)
	@node tests/coverage/run.mjs --unit
	@node tests/mutants/run.mjs --unit $(ARGS)

# The page: everything in clients/web except tests and npm packages.
WEB_SRC := $(wildcard clients/web/*.mjs clients/web/src/* clients/web/src/*/* clients/web/src/*/*/*)

web: $(BUILD)/web/.stamp
$(BUILD)/web/.stamp: $(WEB_SRC) server/sim/presets.c clients/web/node_modules/.package-lock.json | $(BUILD)/flock-sim
	$(SAY)node clients/web/build.mjs --out $(@D) --flock-sim $(BUILD)/flock-sim
	@touch $@

-include $(shell find $(BUILD)/obj $(BUILD)/lint -name '*.d' 2>/dev/null)

# make runs pkg-config when it starts, so targets that install packages build with a second make. It has one job per
# processor, unless -j is given.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

# make run saves rooms in this folder, unless ARGS or FLOCKD_DATA name another one.
RUN_DATA = "$${XDG_DATA_HOME:-$$HOME/.local/share}"
SAVING = if [ -z "$${FLOCKD_DATA+set}" ]; then mkdir -p $(RUN_DATA) && export FLOCKD_DATA=$(RUN_DATA)/flockd || \
	{ echo 'make run: choose a folder for the rooms with ARGS="--data FOLDER", or --data none' >&2; exit 1; }; fi;

run:
	@docker/setup.sh build
	@$(MAKE) $(JOBS) all
	@$(if $(findstring --data,$(ARGS)),,$(SAVING)) exec $(BUILD)/flockd $(ARGS)

# Debian 13's nats-server, for tests and make cluster.
build/nats/nats-server: docker/debian-13.sh
	$(SAY)docker/debian-13.sh nats-server 2.10.27 $(@D)
	@touch -h $@

# Debian 13's lazygit, for make looks-terminal.
build/lazygit/lazygit: docker/debian-13.sh
	$(SAY)docker/debian-13.sh lazygit 0.40 $(@D)
	@touch -h $@

.PHONY: cluster
cluster:
	@docker/setup.sh build
	@$(MAKE) $(JOBS) all build/nats/nats-server
	@exec node docker/cluster.mjs $(ARGS)

# The figures of a cluster, about half an hour. ARGS="kill --tries 5 --rooms 10 --people 50" runs a part.
.PHONY: cluster-test
cluster-test:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) all load tests/node_modules/.package-lock.json build/nats/nats-server
	@node tests/cluster/long.mjs $(ARGS)

check:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) test-release
	@node tests/run.mjs --tier check

# ONLY and TEST look for tests in all suites, which need all programs.
TIER = $(if $(ONLY)$(TEST),test-all,$@)
# Downloads start first. There is one job more than processors, because downloads wait for the network.
test test-all:
	@docker/setup.sh build $(TIER)
	@$(MAKE) $(if $(JOBS),-j$(shell expr $$(nproc) + 1)) $(TIER)-programs
	@node tests/run.mjs --tier $(TIER) $(if $(ONLY),--only '$(ONLY)') $(if $(TEST),--test '$(TEST)')

.PHONY: test-programs test-all-programs test-release test-sanitized test-threaded test-web
test-programs: test-release test-sanitized
test-all-programs: arm64 test-release test-sanitized test-threaded
test-release: tests/node_modules/.package-lock.json test-web all unit load build/nats/nats-server
test-web: clients/web/node_modules/.package-lock.json
	@npm --prefix clients/web run --silent build-tests
test-sanitized test-threaded: build/nats/nats-server # two makes must not fetch it at the same time
test-sanitized:
	@$(MAKE) SANITIZE=1 programs load $(SANITIZED) build/asan/flockd-later build/asan/simulation
test-all-programs: SANITIZED = unit
test-threaded:
	@$(MAKE) SANITIZE=thread threads

SECONDS ?= 1800
# Tests with several threads, built with ThreadSanitizer.
THREADED := hub hub_charge hub_time hub_many hub_restart log log_writer mailbox sim_pool ends keeper keeper_losses keeper_parcels keeper_strangers checkpoints broker_nats
threads: $(THREADED:%=$(BUILD)/tests/test_%)
test-threads:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) SANITIZE=thread threads
	@node tests/run.mjs unit-threads

# ARGS="--url ws://HOST:PORT" attacks another flockd; ARGS=--list lists the attacks.
attack:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) programs web build/flockd-failing build/narrow
	@$(MAKE) -s tests/node_modules/.package-lock.json
	@node tests/attack/run.mjs $(ARGS)

soak:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) programs web
	@$(MAKE) -s tests/node_modules/.package-lock.json
	@SECONDS=$(SECONDS) node tests/attack/soak.mjs

# Prints each seed whose run fails. ARGS="--seed N --lives 1 --verbose" repeats such a run.
simulate:
	@docker/setup.sh build test
	@$(MAKE) $(JOBS) $(BUILD)/simulation
	@$(BUILD)/simulation $(or $(ARGS),--seed $(shell date +%s) --seconds $(SECONDS))

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
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_SERVER)

bench-download: programs
	@$(MAKE) -s tests/node_modules/.package-lock.json
	@node tests/bench/download.mjs

bench-terminal: programs web
	@$(MAKE) -s tests/node_modules/.package-lock.json
	@node tests/bench/terminal.mjs

bench-seek:
	@docker/setup.sh build
	@$(MAKE) $(JOBS) build/seek
	build/seek 60 5000 boids

bench-class:
	@docker/setup.sh build
	@$(MAKE) $(JOBS) build/class
	build/class boids 5000 128

bench-fanout bench-overload bench-crowd bench-rooms: bench-%:
	@docker/setup.sh build
	@$(MAKE) $(JOBS) programs web load build/seek
	@$(MAKE) -s tests/bench/node_modules/.package-lock.json tests/node_modules/.package-lock.json
	@node tests/bench/$*.mjs $(ARGS)

bench-page bench-start: bench-%:
	@docker/setup.sh build test-all
	@$(MAKE) $(JOBS) programs web
	@$(MAKE) -s tests/node_modules/.package-lock.json
	@node tests/bench/$*.mjs $(ARGS)

%/node_modules/.package-lock.json: %/package.json %/package-lock.json
	npm --prefix $* ci --no-progress --loglevel=error
	@touch $@

lint: lint-quick
	@$(MAKE) $(JOBS) lint-tidy

# All checks except clang-tidy, which takes half as long as the tests.
lint-quick: lint-sources
	@$(MAKE) $(JOBS) lint-c lint-analyzer

# The checks that read sources and run no analyzer: types, style and format.
# lint-web is one program after another, so make starts it first.
lint-sources:
	@docker/setup.sh build lint
	@$(MAKE) $(JOBS) lint-web lint-format lint-scripts

SHELL_FILES := docker/setup.sh docker/root.sh docker/arm64-libraries.sh docker/debian-13.sh tests/bench/engine.sh .ci/run

lint-format:
	$(if $(V),,@)clang-format --dry-run -Werror $(C_FILES)

lint-c: $(TEXTS)
	$(if $(V),,@)cppcheck -j $(shell nproc) --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=varFuncNullUB -Iprotocol -Iserver -Iclients -Ibuild/texts $(filter %.c,$(C_FILES))

# The warnings of clang and clang-tidy. Each file has its own process, because clang-tidy 14 reports the va_list of the second
# file in a process as uninitialised. make skips unchanged files that passed.
lint-tidy: $(patsubst %.c,$(BUILD)/lint/%.tidy,$(filter %.c,$(C_FILES)))
$(BUILD)/lint/%.tidy: %.c .clang-tidy $(wildcard tests/*/.clang-tidy) $(BUILD)/flags
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS_ALL) -MM -MP -MT $@ -MF $(@:.tidy=.d) $<
	$(SAY)clang-tidy --quiet $< -- $(CPPFLAGS_ALL) $(CFLAGS_ALL)
	@touch $@

# gcc's analysis of paths through a function. Its leak check is off, because it also reports memory that is stored in another
# struct's array (clients/term/flock/timeline.c, server/net/http/page.c, tests/bench/load/options.c). LeakSanitizer finds leaks.
# Its check of shifts is off, because it takes the size of a vector for that of an element (server/sim/wide/noise.h).
# The analysis does not change the code. So its object is also the build's, and `make` does not compile the file again.
ANALYZED_OBJ = $(if $(filter cc gcc,$(CC)),$(BUILD)/obj/$*.o)
ANALYZED := $(filter-out tests/%,$(filter %.c,$(C_FILES))) $(LOAD_SRC)
lint-analyzer: $(ANALYZED:%.c=$(BUILD)/lint/%.analyzed)
$(BUILD)/lint/%.analyzed: %.c $(BUILD)/flags
	@mkdir -p $(@D) $(BUILD)/obj/$(dir $*)
	$(SAY)gcc $(CPPFLAGS_ALL) $(CPPFLAGS) $(CFLAGS_ALL) -fanalyzer -Wno-analyzer-malloc-leak -Wno-analyzer-shift-count-overflow -MMD -MP -MT '$@ $(ANALYZED_OBJ)' -MF $@.d \
	    -c -o $(or $(ANALYZED_OBJ),/dev/null) $<
	@touch $@

lint-web: clients/web/node_modules/.package-lock.json tests/node_modules/.package-lock.json
	npm --prefix clients/web run --silent check
	cd clients/web && ../../tests/node_modules/.bin/biome lint --error-on-warnings . && ../../tests/node_modules/.bin/biome format .
	cd tests && node_modules/.bin/biome lint --error-on-warnings .
	cd tests && node_modules/.bin/tsc -p . && node_modules/.bin/tsc -p tsconfig.strict.json

lint-scripts:
	shellcheck $(SHELL_FILES)
	mandoc -Tlint -W warning docs/*.1

format: tests/node_modules/.package-lock.json
	clang-format -i $(C_FILES)
	cd clients/web && ../../tests/node_modules/.bin/biome format --write .

docker:
	docker build -f docker/Dockerfile --build-arg VERSION=$(VERSION) -t flockd .

# Writes build/sbom.json, the packages of an image that is built on this machine. Each image contains its own list.
.PHONY: sbom
sbom:
	@rm -rf build/image
	@$(MAKE) install DESTDIR=$(CURDIR)/build/image PREFIX=/usr/local >/dev/null
	@docker/root.sh build/image
	@mv build/image/usr/local/share/flockd/sbom.json build/sbom.json
	@echo build/sbom.json


COMPLETIONS := bash-completion/completions zsh/site-functions fish/vendor_completions.d

install: all
	install -D -t $(DESTDIR)$(PREFIX)/bin $(PROGRAM_NAMES:%=build/%)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/flockd $(PLUGIN)
	rm -rf $(DESTDIR)$(PREFIX)/share/flockd/web
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/flockd/web build/web/*
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 docs/*.1
	for folder in $(COMPLETIONS); do install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/$$folder build/completions/$$folder/*; done
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|@PREFIX@|$(PREFIX)|' server/flockd.service.in >$(DESTDIR)$(PREFIX)/lib/systemd/system/flockd.service

uninstall:
	rm -f $(foreach name,$(PROGRAM_NAMES),$(addprefix $(DESTDIR)$(PREFIX)/share/,bash-completion/completions/$(name) zsh/site-functions/_$(name) fish/vendor_completions.d/$(name).fish))
	rm -f $(PROGRAM_NAMES:%=$(DESTDIR)$(PREFIX)/bin/%) $(PROGRAM_NAMES:%=$(DESTDIR)$(PREFIX)/share/man/man1/%.1)
	rm -f $(DESTDIR)$(PREFIX)/lib/systemd/system/flockd.service
	rm -rf $(DESTDIR)$(PREFIX)/share/flockd $(DESTDIR)$(PREFIX)/lib/flockd

help:
	@sed -n '/^$$/q; s/^#\( \|$$\)//p' Makefile

clean:
	rm -rf build

# Fuzzing. A target is tests/fuzz/fuzz_NAME.c, its corpus tests/fuzz/corpus/NAME. The tests replay the corpora;
# `make fuzz` searches FUZZ_SECONDS for each target and writes its findings to build/fuzz.
FUZZ_SECONDS ?= 60
FUZZ_NAMES   := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

FUZZ_OBJ     := $(call obj,tests/fuzz/accept.c) $(BUILD)/all.a

unit: $(FUZZ_NAMES:%=$(BUILD)/tests/fuzz_%)
$(BUILD)/tests/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o $(FUZZ_OBJ)
	@mkdir -p $(@D)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ $^ $(LIBS_SERVER)

# The search uses clang's libFuzzer and needs SANITIZE=fuzz.
$(BUILD)/search_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(FUZZ_OBJ)
	$(SAY)$(CC) $(CFLAGS_ALL) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(LIBS_SERVER)

.PHONY: fuzz $(FUZZ_NAMES:%=fuzz-%)
fuzz:
	@docker/setup.sh build fuzz
	@$(MAKE) $(JOBS) SANITIZE=fuzz $(FUZZ_NAMES:%=build/fuzzing/search_%)
	@$(MAKE) $(FUZZ_NAMES:%=fuzz-%)

# A single allocation is limited to 64 MiB. Leaks are not checked, because the server's threads free their memory at the end.
$(FUZZ_NAMES:%=fuzz-%): fuzz-%:
	@$(MAKE) $(JOBS) SANITIZE=fuzz build/fuzzing/search_$*
	@mkdir -p build/fuzz/$*
	build/fuzzing/search_$* -max_total_time=$(FUZZ_SECONDS) -timeout=150 -malloc_limit_mb=64 -detect_leaks=0 -print_final_stats=1 \
	    -artifact_prefix=build/fuzz/ build/fuzz/$* tests/fuzz/corpus/$*

# Generates files from the table of messages, protocol/schema.mjs: tables of C, the page, the tests and PROTOCOL.md.
.PHONY: protocol
protocol:
	@node protocol/generate.mjs

# Records the README's animation from the page.
.PHONY: picture
picture: all tests/node_modules/.package-lock.json
	@node tests/picture.mjs $(ARGS)

# Shows each preset at several ages, with several people, on several screens, in both themes.
.PHONY: looks
looks: all load tests/node_modules/.package-lock.json
	@node tests/looks.mjs $(ARGS)

# Shows flock-term in xterm.
.PHONY: looks-terminal
# Each key and click of flock-term, in all sizes and types of terminals.
.PHONY: test-terminals
test-terminals: programs web tests/node_modules/.package-lock.json
	@docker/setup.sh build test
	@cd tests && FLOCK_TERMINALS=all node --test --test-reporter=spec e2e/terminal-keys.test.mjs

looks-terminal: programs web build/lazygit/lazygit tests/node_modules/.package-lock.json
	@docker/setup.sh build looks
	@node tests/looks-terminal.mjs $(ARGS)

# Writes the table of docs/options.md from the program.
.PHONY: options
options: $(BUILD)/flockd
	{ sed '/<!-- options: begin/q' docs/options.md; $< --help-table; sed -n '/<!-- options: end/,$$p' docs/options.md; } >$(BUILD)/options.md
	mv $(BUILD)/options.md docs/options.md
