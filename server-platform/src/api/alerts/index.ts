/** Alert rules and alerts: their routes, their evaluation, and what follows from it. */
export { writeTestEvent } from './alert-event.ts';
export type { AlertService } from './alert-service.ts';
export { listAlertStates } from './alert-states.ts';
export { startMonitoring } from './start-monitoring.ts';
export { listUnresolvedAlerts } from './unresolved-alerts.ts';
