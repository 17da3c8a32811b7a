import { hrefOf, type SearchChanges, useSearch } from '../../location.ts';
import { queryClient } from '../../query.ts';

/** The agent that the address names, for calls and links. */
export interface Scope {
  /** A path of the API with project and agent. */
  readonly pathOf: (path: string) => string;
  /** A link within the view that keeps the agent. */
  readonly linkTo: (path: string, search?: SearchChanges) => string;
  /** Key that separates stored data by project and agent. */
  readonly key: string;
}

/** The project and the agent that the address names. */
export function useScope(): Scope {
  const [search] = useSearch();
  const agent = search.get('agent');
  const query = new URLSearchParams();
  for (const name of ['project', 'agent']) {
    const value = search.get(name);
    if (value !== null) query.set(name, value);
  }
  const key = query.toString();
  return {
    key,
    pathOf: (path) => `/knowledge${path}${key === '' ? '' : `?${key}`}`,
    linkTo: (path, changes = {}) => hrefOf(`/knowledge${path}`, { agent, ...changes }),
  };
}

/** Reads everything about articles again, after a change. */
export const refreshKnowledge = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['knowledge'] });
