import type { Database } from '../../server-platform/src/db/index.ts';
import type { MessagingConnector } from '../../server-platform/src/realtime/conversation/connector.ts';

/** The one connector of a soak's platform. */
export const CONNECTOR: MessagingConnector = {
  id: '6f1d2c9e-0a1b-4c3d-8e5f-7a9b0c1d2e3f',
  projectId: 'PROJECT-SOAK',
  environment: 'live',
  hosts: [{ kind: 'domain', value: 'example.com' }],
  enforceOrigin: false,
  eventVocabulary: 'auto',
  onHandoffFailure: 'rejoin',
  handoffTimeoutMs: 600_000,
  handoff: null,
  handoffRoute: null,
  variants: [],
  language: 'en',
  agent: 'chatty',
  isRevoked: false,
  hasIdleWarning: false,
  hasSurvey: false,
  surveyScale: 'faces',
  hasReceipts: false,
  hasContext: false,
};

/** Stores it with its account and project, unless they are there. */
export async function insertConnector(database: Database): Promise<void> {
  await database.query(
    "INSERT INTO accounts (id, slug, name, created_at) VALUES ('ACCOUNT-SOAK', 'a', 'A', 0) ON CONFLICT DO NOTHING",
  );
  await database.query(
    `INSERT INTO projects (id, account_id, slug, name, created_at)
     VALUES ('PROJECT-SOAK', 'ACCOUNT-SOAK', 'p', 'P', 0) ON CONFLICT DO NOTHING`,
  );
  await database.query(
    `INSERT INTO connectors (id, project_id, name, token_hash, token_hint, hosts, environment, created_at)
     VALUES ($1, 'PROJECT-SOAK', 'c', 'hash', 'hint', '[]'::jsonb, 'live', 0) ON CONFLICT DO NOTHING`,
    [CONNECTOR.id],
  );
}
