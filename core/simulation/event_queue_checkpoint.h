/*
 * The state of an event queue, saved and restored.
 *
 * Invariant: a restored queue has the same open bucket, and its events in the same places, so
 * event_queue_next_bound_ps gives the same times as without.
 */
#ifndef ANAX_CORE_EVENT_QUEUE_CHECKPOINT_H
#define ANAX_CORE_EVENT_QUEUE_CHECKPOINT_H

#include "core/checkpoint/saved_state.h"
#include "core/simulation/event_queue.h"

/* Saves a queue, or restores it into a new one of the same width of buckets. */
void event_queue_save_or_restore(struct saved_state *state, struct event_queue *queue);

#endif
