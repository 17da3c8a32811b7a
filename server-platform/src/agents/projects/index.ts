/** The agents of each project and their stored data: edited articles, evaluation runs, spending on models. */

export {
  type ArticleScope,
  type ArticleVersion,
  addVersion,
  listLatest,
  listVersions,
} from './article-versions.ts';
export { addRun, type EvaluationRun, findRun, listRuns } from './evaluation-runs.ts';
export { ProjectAgents } from './project-agents.ts';
