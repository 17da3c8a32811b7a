/** Knowledge of the agents that people edit: versions of articles, and evaluations. */

export {
  type ArticleScope,
  type ArticleVersion,
  addVersion,
  listLatest,
  listVersions,
} from './article-versions.ts';
export { addRun, type EvaluationRun, findRun, listRuns } from './evaluation-runs.ts';
export { ProjectAgents } from './project-agents.ts';
