/** Counts, latency, ratings and unanswered questions of a range. */
export { overviewView } from './overview.ts';
export { readOverview } from './read-overview.ts';
