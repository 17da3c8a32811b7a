/** Desks with people who take over from an agent, and the state that a hand-off stores. */
export { createHandoffProviders } from './create-handoff-providers.ts';
export type { DeskEvent } from './desk-event.ts';
export { createDeskEventsFamily, DESK_EVENTS, type DeskServices } from './desk-events-family.ts';
export {
  DEFAULT_HANDOFF_PROVIDERS,
  type DeskConfig,
  type HandoffProviderConfig,
  handoffProviderSchema,
} from './handoff-provider-config.ts';
export { createHandoffStateFamily } from './handoff-state-family.ts';
export { createNotifyHandoff, type NotifyHandoff } from './notify-handoff.ts';
export { OpenHandoffs } from './open-handoffs.ts';
