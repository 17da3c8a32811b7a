/** Alert rules and alerts: their routes, their evaluation, and what follows from it. */
export { writeTestEvent } from './alert-event.ts';
export { listAlertStates } from './alert-states.ts';
export { startMonitoring } from './start-monitoring.ts';
export { listUnresolvedAlerts, resolveAlert } from './unresolved-alerts.ts';
