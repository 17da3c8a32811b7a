import type { VNode } from 'preact';
import { Page, Tabs } from '../../ui/index.ts';
import type { ViewProps } from '../../views.ts';
import { ConnectorsPage } from './connectors-page.tsx';
import { KeysPage } from './keys-page.tsx';
import { NodesPage } from './nodes-page.tsx';
import './operations.css';
import { RetentionPage } from './retention-page.tsx';

const PAGES = [
  { rest: '', name: 'Platform', Content: NodesPage },
  { rest: 'keys', name: 'API keys', Content: KeysPage },
  { rest: 'connectors', name: 'Connectors', Content: ConnectorsPage },
  { rest: 'retention', name: 'Retention', Content: RetentionPage },
] as const;

/** The view Operations: platform health, API access and data retention. */
export function OperationsView({ rest }: ViewProps): VNode {
  const shown = PAGES.find((page) => page.rest === rest) ?? PAGES[0];
  const { Content } = shown;
  return (
    <Page title="Operations" summary="Platform health, API access and data retention.">
      <Tabs label="Parts of Operations" path="/operations" tabs={PAGES} shown={shown.rest} />
      <Content />
    </Page>
  );
}
