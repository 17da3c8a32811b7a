import type { VNode } from 'preact';
import { hasFeature } from '../../has-feature.ts';
import { CLOSE, DOWN, Icon } from '../../icons.tsx';
import { isDemonstration } from '../../is-demonstration.ts';
import { Avatar } from '../avatar.tsx';
import { usePanel } from '../model/panel-model.ts';
import { findFirstJoin } from '../transcript/select-rows.ts';
import { MenuButton } from './menu-button.tsx';

/** Name and role of the speaker, menu and close button. */
export function Header(): VNode | null {
  const { agent, chat, isAtHome, isOver, options, parts, strings, nameOf, layout, close } = usePanel();
  const home = hasFeature(options.value, 'home') && !isAtHome.value && parts.home.code.value;
  // After the end, a human agent who was present has left.
  const speaker = isOver.value ? agent.value : chat.speaker.value;
  const isPerson = speaker?.kind === 'live_agent';
  const name = nameOf(speaker);
  const shown = isPerson ? name : options.value.title || name;
  // The agent has left, and no person has joined yet.
  const hasNoSpeaker = !speaker && findFirstJoin(chat.messages.value);
  const role = isPerson
    ? strings.value[isDemonstration(speaker) ? 'demonstration' : 'rolePerson']
    : hasNoSpeaker
      ? chat.queue.value && strings.value.queueWaiting
      : strings.value.roleAgent;
  return (
    <div class="header" part="header">
      {home && <home.HomeButton />}
      <Avatar speaker={speaker} />
      <div class="who">
        <h2>
          <bdi>{shown}</bdi>
        </h2>
        <div class="who-role">
          {shown !== name && !hasNoSpeaker && [<bdi key="name">{name}</bdi>, ' · ']}
          {role}
        </div>
      </div>
      <MenuButton />
      {layout.value !== 'fullscreen' && (
        <button
          type="button"
          class="icon-button"
          aria-label={strings.value.closeChat}
          onClick={() => close(true)}
        >
          <Icon path={layout.value === 'sheet' ? CLOSE : DOWN} />
        </button>
      )}
    </div>
  );
}
