import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button, CheckField, Page, SelectField, TabList, TabPanel } from '../../../console/ui/index.ts';
import { HOST_PAGES } from '../host-pages.ts';
import { BenchModel } from './bench-model.ts';
import { DEVICES } from './devices.ts';
import { FaultsPanel } from './faults-panel.tsx';
import { FramesPanel } from './frames-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { PolicyPanel } from './policy-panel.tsx';
import { RecordingsPanel } from './recordings-panel.tsx';
import { changeSearch, search } from './search.ts';
import { Stage } from './stage.tsx';
import './test-bench.css';
import { WidgetPanel } from './widget-panel.tsx';

const REPLAY_PAGE = '/bench/replay.html';

/** The widget on a page of choice and on a screen of choice, with its log, its faults and its recordings. */
export function TestBench(): VNode {
  const [model] = useState(() => new BenchModel());
  const shown = search.value.get('tab') ?? 'log';
  const id = useId();
  const tools = [
    { id: 'log', name: 'Log', panel: <LogPanel model={model} /> },
    { id: 'faults', name: 'Faults', panel: <FaultsPanel isReplay={model.replay.value !== null} /> },
    { id: 'frames', name: 'Frames', panel: <FramesPanel model={model} /> },
    { id: 'widget', name: 'Widget', panel: <WidgetPanel model={model} /> },
    { id: 'recordings', name: 'Recordings', panel: <RecordingsPanel model={model} /> },
    { id: 'policy', name: 'CSP', panel: <PolicyPanel /> },
  ];
  return (
    <Page title="Test bench" summary="The widget with every frame and event. Tokens are never shown." isWide>
      <Toolbar model={model} />
      <div class="bench">
        <section class="bench-page" aria-label="Page">
          <ShownPage model={model} />
        </section>
        <div class="bench-tools">
          <TabList
            id={id}
            label="Tools"
            tabs={tools}
            shown={shown}
            onShow={(tool) => changeSearch('tab', tool)}
          />
          {tools.map((tool) => (
            <TabPanel key={tool.id} id={id} tab={tool.id} isHidden={tool.id !== shown}>
              {tool.panel}
            </TabPanel>
          ))}
        </div>
      </div>
    </Page>
  );
}

function findPage(): (typeof HOST_PAGES)[number] | undefined {
  const wanted = search.value.get('page');
  return HOST_PAGES.find(({ id }) => id === wanted) ?? HOST_PAGES[0];
}

function Toolbar({ model }: { model: BenchModel }): VNode {
  const { isRightToLeft, isMotionReduced, areColoursForced, scheme } = model.settings.value;
  const isReplay = model.replay.value !== null;
  return (
    <div class="toolbar bench-toolbar">
      {!isReplay && (
        <SelectField
          label="Page"
          options={HOST_PAGES.map(({ id, name }) => [id, name] as const)}
          value={findPage()?.id ?? ''}
          onChange={({ currentTarget }) => changeSearch('page', currentTarget.value)}
        />
      )}
      <SelectField
        label="Screen"
        options={DEVICES.map(({ id, name }) => [id, name] as const)}
        value={search.value.get('screen') ?? 'room'}
        onChange={({ currentTarget }) => changeSearch('screen', currentTarget.value)}
      />
      <SelectField
        label="Colours"
        options={[
          ['', 'System setting'],
          ['light', 'light'],
          ['dark', 'dark'],
        ]}
        value={scheme}
        onChange={({ currentTarget: { value } }) =>
          model.set({ scheme: value === 'light' || value === 'dark' ? value : '' })
        }
      />
      <CheckField
        label="Right to left"
        checked={isRightToLeft}
        onChange={(isOn) => model.set({ isRightToLeft: isOn })}
      />
      <CheckField
        label="Reduced motion"
        checked={isMotionReduced}
        onChange={(isOn) => model.set({ isMotionReduced: isOn })}
      />
      <CheckField
        label="Forced colours"
        checked={areColoursForced}
        onChange={(isOn) => model.set({ areColoursForced: isOn })}
      />
      <Button icon="refresh" onClick={() => model.reload()}>
        Reload
      </Button>
      {isReplay && <Button onClick={() => model.stopReplay()}>End replay</Button>}
    </div>
  );
}

/** The page in its frame, with a note what to look at. */
function ShownPage({ model }: { model: BenchModel }): VNode {
  const page = findPage();
  const replay = model.replay.value;
  const device = DEVICES.find(({ id }) => id === search.value.get('screen')) ?? DEVICES[0];
  const address = `/bench/pages/${page?.id}`;
  return (
    <>
      <p class="quiet bench-note">
        {replay !== null ? (
          'This is a replay. See the Recordings tab for the visitor’s steps.'
        ) : (
          <>
            {page?.note}{' '}
            <a href={address} target="_blank" rel="noreferrer">
              Open it alone
            </a>
          </>
        )}
      </p>
      {device !== undefined && (
        <Stage
          model={model}
          src={replay === null ? address : `${REPLAY_PAGE}?run=${replay.run}`}
          title={replay === null ? `Page: ${page?.name}` : `Replay: ${replay.recording.title}`}
          sandbox={replay === null ? page?.sandbox : undefined}
          device={device}
        />
      )}
    </>
  );
}
