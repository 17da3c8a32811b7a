import { useSignal, useSignalEffect } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals-core';
import { useLayoutEffect } from 'preact/hooks';
import type { ChatServices, HelpArticle, PastConversation, SearchLimits } from '../../../client/index.ts';
import { hasFeature } from '../../has-feature.ts';
import { type PanelModel, usePanel } from '../../panel/model/panel-model.ts';

/** The search of help articles, and the articles that are shown before the visitor has typed. */
export interface Search {
  readonly limits: SearchLimits;
  readonly popular: readonly HelpArticle[];
}

/** Data of the home screen. */
export interface HomeData {
  /** `null` if its code could not be loaded; then there is neither search nor list. */
  readonly services: ChatServices | null;
  /** `null` where the help articles cannot be searched. */
  readonly search: Search | null;
  /** Earlier conversations, without the running one. */
  readonly past: readonly PastConversation[];
}

const NOTHING: HomeData = { services: null, search: null, past: [] };

/** The screen waits for the search this long, because showing it later would move the content. */
const SEARCH_WAIT_MS = 400;

const wait = (delayMs: number): Promise<null> => new Promise((resolve) => setTimeout(resolve, delayMs, null));

async function readSearch({ language }: PanelModel, services: ChatServices): Promise<Search | null> {
  const { signal } = new AbortController();
  const limits = await services.readSearchLimits();
  if (!limits) return null;
  const popular = await services.searchHelp({ query: '', language: language.peek(), signal });
  return { limits, popular: popular ?? [] };
}

/** Excludes the running conversation; one that has ended is listed. */
async function listPast(
  { chat, options, isOver }: PanelModel,
  services: ChatServices,
): Promise<HomeData['past']> {
  if (!hasFeature(options.peek(), 'history')) return [];
  const running = isOver.peek() ? null : chat.currentSession().sessionId;
  return (await services.past.list()).filter(({ sessionId }) => sessionId !== running);
}

/**
 * Loads the home screen's data; `null` until then. Leaves the screen if a stored conversation is resumed. Sends no
 * request before the visitor has agreed, if the site asks for consent. `readPast` reads the list of earlier
 * conversations again.
 */
export function useHomeData(): {
  readonly data: ReadonlySignal<HomeData | null>;
  readonly readPast: () => Promise<void>;
} {
  const model = usePanel();
  const isGated = model.terms.value?.isGated.value === true;
  const data = useSignal<HomeData | null>(null);
  useLayoutEffect(() => {
    const { chat, leaveHome } = model;
    let isOn = true;
    const show = (next: HomeData): void => {
      if (isOn) data.value = next;
    };
    const read = async (): Promise<void> => {
      const [isStored, services] = await Promise.all([
        chat.connection.peek().status === 'idle' && chat.hasStoredConversation(),
        chat.services().catch(() => null),
      ]);
      if (!isOn) return;
      if (isStored) leaveHome();
      else if (!services) show(NOTHING);
      else {
        const past = await listPast(model, services);
        const searching = isGated ? null : readSearch(model, services);
        show({ services, past, search: await Promise.race([searching, wait(SEARCH_WAIT_MS)]) });
        const search = await searching;
        // The response about the search came after the wait.
        if (search && !data.peek()?.search) show({ ...(data.peek() ?? NOTHING), search });
      }
    };
    void read();
    return () => {
      isOn = false;
    };
  }, [model, isGated, data]);
  const readPast = async (): Promise<void> => {
    const { services, search } = data.peek() ?? NOTHING;
    if (services) data.value = { services, search, past: await listPast(model, services) };
  };
  // A conversation may end while the screen is shown.
  useSignalEffect(() => {
    if (model.isOver.value) void readPast();
  });
  return { data, readPast };
}
