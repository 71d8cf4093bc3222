# flockd: run · test · lint · bench · docker · install are the commands that anyone has to know.
#
#   make run                  set up what is missing, build, start flockd (ARGS="--boids 2000" to add options)
#   make test                 set up what the tests need and run them all
#   make SANITIZE=1 ...       the same with AddressSanitizer and UndefinedBehaviorSanitizer, in build/asan

MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

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
MSGPACK  = $(shell pkg-config --exists msgpack-c 2>/dev/null && echo msgpack-c || echo msgpack)
CPPFLAGS_ALL = -Iprotocol -Iserver -D_GNU_SOURCE -DFLOCKD_VERSION='"$(VERSION)"' -DFLOCKD_PREFIX='"$(PREFIX)"' \
               $(patsubst -I%,-isystem %,$(shell pkg-config --cflags libuv libwebsockets $(MSGPACK) ncursesw 2>/dev/null))
CFLAGS_ALL   = -std=c17 $(WARN) -ffp-contract=off -fno-math-errno -pthread $(SAN_FLAGS) $(CFLAGS)

PROTOCOL_SRC := $(wildcard protocol/*.c)
SIM_SRC      := $(wildcard server/sim/*.c server/sim/models/*.c)
SERVER_SRC   := $(wildcard server/*.c server/room/*.c server/hub/*.c server/net/*.c)
MAIN_SRC     := server/main.c
TERM_SRC     := $(wildcard clients/term/*.c)
UNIT_SRC     := $(wildcard tests/unit/*.c)
C_FILES      := $(wildcard protocol/*.[ch] server/*.[ch] server/*/*.[ch] server/sim/models/*.[ch] clients/term/*.[ch] \
                tests/*/*.[ch])

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
PROTOCOL_OBJ := $(call obj,$(PROTOCOL_SRC))
SIM_OBJ      := $(call obj,$(SIM_SRC))
SERVER_OBJ   := $(call obj,$(SERVER_SRC))
TERM_OBJ     := $(call obj,$(TERM_SRC))
UNIT_BIN     := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNIT_SRC))

LIBS_SERVER = $(shell pkg-config --libs libuv libwebsockets $(MSGPACK)) -lm
LIBS_TERM   = $(shell pkg-config --libs libuv libwebsockets $(MSGPACK) ncursesw) -lm

.PHONY: all run test lint format bench docker install clean programs web unit

all: programs web

programs: $(BUILD)/flockd $(BUILD)/flock-term

$(BUILD)/flockd: $(SERVER_OBJ) $(SIM_OBJ) $(PROTOCOL_OBJ)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_SERVER)

$(BUILD)/flock-term: $(TERM_OBJ) $(PROTOCOL_OBJ)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_TERM)

# A unit test is one file; it links everything but the two main functions.
unit: $(UNIT_BIN)
$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(filter-out $(call obj,$(MAIN_SRC)),$(SERVER_OBJ)) $(SIM_OBJ) $(PROTOCOL_OBJ) \
                  $(filter-out $(call obj,clients/term/main.c),$(TERM_OBJ))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIBS_TERM) -lcmocka

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

-include $(shell [ -d $(BUILD)/obj ] && find $(BUILD)/obj -name '*.d')

clean:
	rm -rf build
