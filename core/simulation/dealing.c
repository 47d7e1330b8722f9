/*
 * The lists of all threads lie one after another in one array. Both a list's own thread and others
 * take from its front by raising its counter, so each place is taken once.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "core/simulation/dealing.h"

#include "core/memory/memory.h"
#include "core/simulation/random.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WINDOWS_PER_SORTING 16

bool dealing_choice_of_text(struct dealing_choice *choice, const char *text) {
    static const char *const names[] = {
        [DEALING_DYNAMIC] = "dynamic", [DEALING_STATIC] = "static", [DEALING_RANDOM] = "random"};
    for (unsigned kind = 0; kind < sizeof names / sizeof names[0]; kind++) {
        size_t length = strlen(names[kind]);
        if (strncmp(text, names[kind], length) != 0) continue;
        *choice = (struct dealing_choice){(dealing_kind)kind, text[length] != '\0'};
        return text[length] == '\0' || strcmp(text + length, ",delays") == 0;
    }
    return false;
}

status_code dealing_init(struct dealing *dealing, struct dealing_choice choice, uint32_t domains,
                         unsigned threads, struct status *status) {
    *dealing = (struct dealing){.choice = choice, .domains = domains, .threads = threads};
    dealing->last_thread = memory_new(domains, sizeof *dealing->last_thread);
    dealing->order = memory_new(domains, sizeof *dealing->order);
    dealing->work = memory_new(domains, sizeof *dealing->work);
    dealing->list = memory_new(domains, sizeof *dealing->list);
    dealing->lists = memory_new_aligned(threads, sizeof *dealing->lists);
    RETURN_ERROR_IF(!dealing->last_thread || !dealing->order || !dealing->work || !dealing->list ||
                        !dealing->lists,
                    status, STATUS_MEMORY, "out of memory for %u threads", threads);
    for (uint32_t i = 0; i < domains; i++) {
        dealing->last_thread[i] = (uint32_t)((uint64_t)i * threads / domains);
        dealing->order[i] = i;
    }
    return STATUS_OK;
}

void dealing_clear(struct dealing *dealing) {
    free(dealing->last_thread);
    free(dealing->order);
    free(dealing->work);
    free(dealing->list);
    free(dealing->lists);
    *dealing = (struct dealing){0};
}

/* Sorts the domains by their work, the most first. The order changes little from one sorting to the
 * next, which suits this way of sorting. */
static void sort(struct dealing *dealing) {
    uint32_t *order = dealing->order;
    const uint64_t *work = dealing->work;
    for (uint32_t i = 1; i < dealing->domains; i++) {
        uint32_t domain = order[i], place = i;
        for (; place > 0 && work[order[place - 1]] < work[domain]; place--)
            order[place] = order[place - 1];
        order[place] = domain;
    }
}

static uint32_t draw_below(const struct dealing *dealing, uint32_t domain, uint32_t bound) {
    return random_below(random_draw(dealing->window, RANDOM_NOISE, domain, 0).word[0], bound);
}

/* Puts the domains in a random order. */
static void shuffle(struct dealing *dealing) {
    for (uint32_t i = dealing->domains; i > 1; i--) {
        uint32_t other = draw_below(dealing, i, i), domain = dealing->order[i - 1];
        dealing->order[i - 1] = dealing->order[other];
        dealing->order[other] = domain;
    }
}

static void choose_threads(struct dealing *dealing) {
    for (uint32_t i = 0; i < dealing->domains; i++) {
        uint32_t *last_thread = &dealing->last_thread[i];
        if (dealing->choice.kind == DEALING_RANDOM)
            *last_thread = draw_below(dealing, i, dealing->active);
        else if (dealing->choice.kind == DEALING_STATIC || *last_thread >= dealing->active)
            *last_thread = i % dealing->active;
    }
}

void dealing_begin(struct dealing *dealing, uint64_t window, unsigned active, const bool *has) {
    dealing->window = window;
    dealing->active = active;
    if (dealing->choice.kind == DEALING_RANDOM)
        shuffle(dealing);
    else if (active > 1 && window % WINDOWS_PER_SORTING == 0)
        sort(dealing);
    choose_threads(dealing);
    for (unsigned i = 0; i < active; i++)
        dealing->lists[i].count = 0;
    for (uint32_t i = 0; i < dealing->domains; i++)
        if (has[i]) dealing->lists[dealing->last_thread[i]].count++;
    uint32_t place = 0;
    for (unsigned i = 0; i < active; i++) {
        atomic_store_explicit(&dealing->lists[i].next, place, memory_order_relaxed);
        dealing->lists[i].end = place; /* the list is empty, and the next loop appends to it */
        place += dealing->lists[i].count;
    }
    for (uint32_t i = 0; i < dealing->domains; i++) {
        uint32_t domain = dealing->order[i];
        if (has[domain]) dealing->list[dealing->lists[dealing->last_thread[domain]].end++] = domain;
    }
}

static void pause_now_and_then(const struct dealing *dealing, unsigned thread, uint32_t domain) {
    struct random_block block = random_draw(dealing->window, RANDOM_NOISE, domain, 1 + thread);
    if (block.word[0] % 8 != 0) return;
    struct timespec time = {.tv_nsec = (long)(block.word[1] % 30000)};
    nanosleep(&time, NULL);
}

static bool take_from(struct dealing *dealing, unsigned from, uint32_t *domain) {
    struct dealing_list *list = &dealing->lists[from];
    if (atomic_load_explicit(&list->next, memory_order_relaxed) >= list->end) return false;
    uint32_t place = atomic_fetch_add_explicit(&list->next, 1, memory_order_relaxed);
    if (place >= list->end) return false;
    *domain = dealing->list[place];
    return true;
}

bool dealing_take(struct dealing *dealing, unsigned thread, uint32_t *domain) {
    unsigned others = dealing->choice.kind == DEALING_STATIC ? 1 : dealing->active;
    for (unsigned i = 0; i < others; i++) {
        if (!take_from(dealing, (thread + i) % dealing->active, domain)) continue;
        /* a write would take the cache line from the other threads */
        if (dealing->last_thread[*domain] != thread) dealing->last_thread[*domain] = thread;
        if (dealing->choice.has_delays) pause_now_and_then(dealing, thread, *domain);
        return true;
    }
    return false;
}

bool dealing_peek(const struct dealing *dealing, unsigned thread, uint32_t ahead,
                  uint32_t *domain) {
    const struct dealing_list *list = &dealing->lists[thread];
    uint32_t place = atomic_load_explicit(&list->next, memory_order_relaxed) + ahead;
    if (place >= list->end) return false;
    *domain = dealing->list[place];
    return true;
}
