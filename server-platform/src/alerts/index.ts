/** Alert rules and alerts: their routes, their evaluation, and what follows from it. */
export { startMonitoring } from './start-monitoring.ts';
