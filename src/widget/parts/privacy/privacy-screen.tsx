import { type Signal, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { VisitorData } from '../../../client/index.ts';
import { forgetSiteMessages, readSiteMessages } from '../../dom/site-messages.ts';
import { Icon } from '../../icons.tsx';
import { useLink } from '../../links/use-link.ts';
import { type PanelModel, usePanel } from '../../panel/model/panel-model.ts';
import { describeBrowser, describePlatform } from './describe-data.ts';
import { PRIVACY_TEXTS, type PrivacyTexts } from './privacy-texts.ts';

const BACK = 'M14.5 6l-6 6 6 6';

/** `partly`: deleted in this browser, but not on the platform. `failed`: nothing was deleted. */
type Step = 'reading' | 'shown' | 'asking' | 'erasing' | 'erased' | 'partly' | 'failed';

const NOTHING: VisitorData = { platform: { status: 'unreachable' }, browser: null };

/** Replaces the conversation: the stored data of the visitor, to be downloaded and deleted. */
export function PrivacyScreen(): VNode {
  const model = usePanel();
  const { chat, screen, partTexts, focusComposer } = model;
  const texts = partTexts('privacy', PRIVACY_TEXTS);
  const title = useRef<HTMLHeadingElement>(null);
  const data = useSignal<VisitorData>(NOTHING);
  const step = useSignal<Step>('reading');
  useLayoutEffect(() => {
    title.current?.focus();
    chat
      .services()
      .then((services) => services.readVisitorData())
      .catch(() => NOTHING)
      .then((read) => {
        data.value = read;
        step.value = 'shown';
      });
  }, [chat, data, step]);
  const leave = () => {
    screen.value = null;
    // After the composer has been rendered again.
    queueMicrotask(focusComposer);
  };
  const isOver = step.value === 'erased' || step.value === 'partly';
  return (
    <div class="privacy">
      <div class="privacy-head">
        {!isOver && (
          <button type="button" class="icon-button" aria-label={texts.back} onClick={leave}>
            <Icon path={BACK} />
          </button>
        )}
        <h3 id="privacy-title" ref={title} tabIndex={-1}>
          {texts.title}
        </h3>
      </div>
      <section
        class="privacy-body"
        aria-labelledby="privacy-title"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        tabIndex={0}
      >
        {isOver ? (
          <Done wasPartly={step.value === 'partly'} texts={texts} onStart={leave} />
        ) : (
          <Stored data={data.value} isReading={step.value === 'reading'} texts={texts} />
        )}
      </section>
      {!isOver && step.value !== 'reading' && <Actions data={data.value} step={step} texts={texts} />}
    </div>
  );
}

function Stored(props: {
  readonly data: VisitorData;
  readonly isReading: boolean;
  readonly texts: PrivacyTexts;
}): VNode {
  const model = usePanel();
  const { data, isReading, texts } = props;
  if (isReading) return <p role="status">{texts.reading}</p>;
  const hasSound = model.parts.notifications.code.value?.soundSettingOf(model).value === true;
  const hasPast = (data.browser?.past.length ?? 0) > 0;
  const hasSiteMessages = Object.keys(readSiteMessages()).length > 0;
  return (
    <>
      <Lines
        title={texts.inBrowser}
        lines={describeBrowser(data, texts, model.locale.value, { hasSound, hasSiteMessages })}
        none={texts.nothing}
      />
      <Lines
        title={texts.onPlatform}
        lines={describePlatform(data, texts, model.locale.value, model.parts.tools.code.value?.splitFiles)}
        none={texts.nothing}
      />
      <p class="privacy-note">{hasPast ? texts.noteWithPast : texts.note}</p>
    </>
  );
}

function Lines(props: {
  readonly title: string;
  readonly lines: readonly string[];
  readonly none: string;
}): VNode {
  const { title, lines, none } = props;
  return (
    <>
      <h4>{title}</h4>
      <ul class="privacy-lines">
        {(lines.length > 0 ? lines : [none]).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

interface ActionsProps {
  readonly data: VisitorData;
  readonly step: Signal<Step>;
  readonly texts: PrivacyTexts;
}

function Actions({ data, step, texts }: ActionsProps): VNode {
  const model = usePanel();
  const { parts, strings } = model;
  const isAsking = step.value === 'asking';
  const isErasing = step.value === 'erasing';
  const keep = useRef<HTMLButtonElement>(null);
  const danger = useRef<HTMLButtonElement>(null);
  // A second press of the same key does not delete.
  useLayoutEffect(() => {
    if (isAsking) keep.current?.focus();
  }, [isAsking]);
  const stopAsking = () => {
    if (!isAsking) return;
    step.value = 'shown';
    danger.current?.focus();
  };
  const confirm = () => isAsking && void erase(model, step);
  // A disabled button would lose the focus.
  const busy = { 'aria-disabled': isErasing };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key comes from the buttons in it
    <div
      class="footer privacy-actions"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isAsking) return;
        // Escape closes the question, not the screen.
        event.stopPropagation();
        stopAsking();
      }}
    >
      <p class="privacy-state" role="status">
        {isAsking ? texts.confirm : step.value === 'failed' ? texts.failed : isErasing ? texts.erasing : ''}
      </p>
      {isAsking || isErasing ? (
        <>
          <button type="button" class="button quiet" ref={keep} {...busy} onClick={stopAsking}>
            {texts.cancel}
          </button>
          <button type="button" class="button danger" ref={danger} {...busy} onClick={confirm}>
            {texts.confirmErase}
          </button>
        </>
      ) : (
        <>
          <button type="button" class="button quiet" onClick={() => void download(data, model)}>
            {texts.download}
          </button>
          <button type="button" class="button danger" ref={danger} onClick={() => (step.value = 'asking')}>
            {texts.erase}
          </button>
        </>
      )}
      {parts.save.hasFailed.value && <p role="alert">{strings.value.failedConnection}</p>}
    </div>
  );
}

/** Saves all that is stored about the visitor as a file. */
async function download({ browser, platform }: VisitorData, { parts }: PanelModel): Promise<void> {
  const code = await parts.save.load();
  const { undelivered = [] } = browser ?? {};
  const stored = {
    browser: browser && { ...browser, undelivered },
    siteMessages: readSiteMessages(),
    platform: platform.status === 'read' ? platform.data : null,
  };
  code?.saveFile('my-chat-data.json', 'application/json', JSON.stringify(stored, null, 2));
}

/** Deletes the data on the platform first, while the ticket is valid, then in all tabs of this browser. */
async function erase(model: PanelModel, step: Signal<Step>): Promise<void> {
  const { chat, parts } = model;
  step.value = 'erasing';
  const services = await chat.services().catch(() => null);
  const outcome = (await services?.eraseVisitorData()) ?? 'unreachable';
  // Deletes nothing here, so that the visitor can try again.
  if (outcome === 'unreachable') {
    step.value = 'failed';
    return;
  }
  await chat.logout();
  // Before consent, `logout` does nothing, but earlier copies may exist.
  await services?.past.forget();
  parts.notifications.code.peek()?.forgetSound(model);
  forgetSiteMessages();
  step.value = outcome === 'unavailable' ? 'partly' : 'erased';
}

function Done(props: {
  readonly wasPartly: boolean;
  readonly texts: PrivacyTexts;
  readonly onStart: () => void;
}): VNode {
  const { chat, leaveHome, strings, contactHref } = usePanel();
  const toLink = useLink();
  const button = useRef<HTMLButtonElement>(null);
  // The pressed button is removed, and with it the focus.
  useLayoutEffect(() => button.current?.focus(), []);
  const { wasPartly, texts, onStart } = props;
  return (
    <div class="privacy-done">
      <p role="status">{wasPartly ? texts.partly : texts.erased}</p>
      {wasPartly && contactHref.value && (
        <a class="text-button" {...toLink(contactHref.value, strings.value.contactUs)}>
          {strings.value.contactUs}
        </a>
      )}
      <button
        type="button"
        class="button primary"
        ref={button}
        onClick={() => {
          onStart();
          leaveHome();
          void chat.start();
        }}
      >
        {strings.value.newChat}
      </button>
    </div>
  );
}
