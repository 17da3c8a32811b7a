import type { VNode } from 'preact';
import { Page, Tabs } from '../../ui/index.ts';
import type { ViewProps } from '../../views.ts';
import './alerts.css';
import { DeliveriesPage } from './deliveries-page.tsx';
import { EndpointsPage } from './endpoints-page.tsx';
import { ReceiverPage } from './receiver-page.tsx';
import { RulesPage } from './rules-page.tsx';

const PAGES = [
  { rest: '', name: 'Rules', Content: RulesPage },
  { rest: 'endpoints', name: 'Endpoints', Content: EndpointsPage },
  { rest: 'deliveries', name: 'Deliveries', Content: DeliveriesPage },
  { rest: 'receiver', name: 'Receiver', Content: ReceiverPage },
] as const;

/** Monitored metrics and notified endpoints. */
export function AlertsView({ rest }: ViewProps): VNode {
  const [part = ''] = rest.split('/');
  const shown = PAGES.find((page) => page.rest === part) ?? PAGES[0];
  const { Content } = shown;
  return (
    <Page title="Alerts and webhooks" summary="What is monitored, and where alerts are sent.">
      <Tabs label="Parts of Alerts and webhooks" path="/alerts" tabs={PAGES} shown={shown.rest} />
      <Content />
    </Page>
  );
}
