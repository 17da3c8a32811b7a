import { LIMITS, toWireType } from 'natter/protocol';
import * as v from 'valibot';
import { empty, number } from './payload-parts.ts';
import { RECEIVED_EVENTS, type ReceivedType } from './received-events.ts';
import { SENT_EVENTS, type SentType } from './sent-events.ts';

const custom = v.pipe(
  v.record(
    v.pipe(v.string(), v.maxLength(LIMITS.maxCustomKeyBytes)),
    v.pipe(v.string(), v.maxLength(LIMITS.maxCustomValueBytes)),
  ),
  v.maxEntries(LIMITS.maxCustomKeys),
  v.description(
    'Chosen by the client; returned on the echo (MET-1). Limits of key and value in bytes of UTF-8.',
  ),
);
const metadata = v.exactOptional(v.object({ custom: v.exactOptional(custom) }));

/** The spellings of a type: one, or two where the vocabularies differ. Source: V-1. */
function spellings(type: SentType | ReceivedType): v.GenericSchema {
  const poly = toWireType(type, 'poly');
  return poly === type ? v.literal(type) : v.picklist([type, poly]);
}

/** The complete frame of a client event. Source: 5.2. */
export function sentFrame(type: SentType): v.GenericSchema {
  const { payload } = SENT_EVENTS[type];
  return v.object({
    type: spellings(type),
    payload: payload === empty ? v.exactOptional(payload) : payload,
    metadata,
  });
}

/** Types that never have a sequence, by 5.5. */
const TRANSIENT: ReadonlySet<ReceivedType> = new Set([
  'EVENT_TYPE_EVENT_BATCH',
  'EVENT_TYPE_HEARTBEAT',
  'EVENT_TYPE_AGENT_THINKING',
  'EVENT_TYPE_LIVE_AGENT_TYPING',
  'EVENT_TYPE_HANDOFF_QUEUE_STATUS',
  'EVENT_TYPE_SESSION_IDLE_WARNING',
]);

/** The complete frame of a platform event. Source: 5.1, 5.5. */
export function receivedFrame(type: ReceivedType): v.GenericSchema {
  const counted = number('Counts from 1 in each session; `null` for an event that is not replayed.', 1);
  const sequence = type === 'EVENT_TYPE_SYSTEM_MESSAGE' ? v.nullable(counted) : counted;
  return v.object({
    id: v.pipe(v.string(), v.uuid(), v.description('Unique per event.')),
    sequence: TRANSIENT.has(type) ? v.null() : sequence,
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
    type: spellings(type),
    payload: RECEIVED_EVENTS[type].payload,
    metadata,
  });
}
