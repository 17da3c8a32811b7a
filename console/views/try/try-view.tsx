import type { VNode } from 'preact';
import { useProject } from '../../location.ts';
import { account } from '../../session.ts';
import { EmptyState, Page, Tabs } from '../../ui/index.ts';
import type { ViewProps } from '../../views.ts';
import { EventsPage } from './events-page.tsx';
import { NumbersPage } from './numbers-page.tsx';
import './try.css';
import { VoicePage } from './voice-page.tsx';

const PAGES = [
  { rest: '', name: 'Numbers', Content: NumbersPage },
  { rest: 'events', name: 'External events', Content: EventsPage },
  { rest: 'voice', name: 'Voice preview', Content: VoicePage },
] as const;

/** The families that other systems call, to be tried here. */
export function TryView({ rest }: ViewProps): VNode {
  const project = useProject();
  const shown = PAGES.find((page) => page.rest === rest) ?? PAGES[0];
  const { Content } = shown;
  return (
    <Page
      title="Numbers, events, voice"
      summary="Try the integrations. The matching API call is on the right."
    >
      <Tabs label="What to try" path="/try" tabs={PAGES} shown={shown.rest} />
      {project === null ? (
        <EmptyState title="This account has no projects" icon="phone" />
      ) : (
        <Content
          key={project.id}
          scope={{ origin: location.origin, accountId: account.value?.id ?? '', project: project.slug }}
        />
      )}
    </Page>
  );
}
