import type { InferOutput } from 'valibot';
import type { Sql } from '../db/index.ts';
import type { serviceLevelsView } from './api/desk-schemas.ts';
import type { ServiceLevelQuery } from './service-levels.ts';

type Outcomes = NonNullable<InferOutput<typeof serviceLevelsView>['outcomes']>;

const ENDED = `project_id IN (SELECT id FROM projects WHERE account_id = $1) AND environment = 'live'
  AND started_at >= $2 AND started_at < $3 AND ended_at IS NOT NULL`;

/** Counts the ended live conversations that started in a span, by who answered them. Both parts read indexes only. */
export async function readOutcomes(
  sql: Sql,
  { accountId, fromMs, toMs }: Pick<ServiceLevelQuery, 'accountId' | 'fromMs' | 'toMs'>,
): Promise<Outcomes> {
  const [row] = await sql.query<Outcomes>(
    `SELECT ended, ended - handed_off AS agent_alone, with_person, transferred,
            handed_off - with_person - transferred AS without_person
       FROM (SELECT count(*)::int AS ended FROM conversations WHERE ${ENDED}) every_one,
            (SELECT count(*)::int AS handed_off, count(person_at)::int AS with_person,
                    (count(*) FILTER (WHERE person_at IS NULL AND end_reason = 'handoff'))::int AS transferred
               FROM conversations WHERE ${ENDED} AND handoff_at IS NOT NULL) asked`,
    [accountId, fromMs, toMs],
  );
  return row ?? { ended: 0, agent_alone: 0, with_person: 0, without_person: 0, transferred: 0 };
}
