import { toVendorFields, VENDOR_FIELDS } from '@natter/sdk';

// One line about each field of a record, in its order. Source: 4.1.
const DESCRIPTIONS = {
  id: 'Conversation id.',
  account_id: 'Account id with its prefix.',
  project_id: 'Project id with its prefix.',
  variant_id: 'Id of the variant that answered.',
  variant_name: 'Name of the variant that answered.',
  environment: 'Environment: sandbox, pre-release or live.',
  started_at: 'When it began, ISO 8601.',
  channel: 'Medium, such as WEBCHAT, CHAT or VOICE-SIP.',
  in_progress: 'Whether it is going on; its fields may still change.',
  from_number: "The caller's number; empty for text channels.",
  to_number: "The agent's number; empty for text channels.",
  num_turns: 'Number of turns, also where turns are withheld.',
  total_duration: 'Duration in whole seconds; up to now while it is going on.',
  platform_duration: 'The part that the agent handled, in whole seconds.',
  handoff: 'Whether the agent handed it off.',
  handoff_reason: 'Why it was handed off.',
  handoff_destination: 'Where it was handed off to.',
  num_silences: 'Number of silent turns.',
  num_ood: "Number of turns out of the agent's domain.",
  metrics: 'Metrics: name to value, or to all values when written more than once.',
  state: 'Variables that the agent logic wrote.',
  turns: 'The turns in order; empty where transcripts are withheld.',
} as const;

/** The field `descriptions` of every page. */
export function describeFields(hasVendorNames: boolean): object {
  return {
    conversations: hasVendorNames ? toVendorFields(DESCRIPTIONS, VENDOR_FIELDS.conversation) : DESCRIPTIONS,
  };
}
