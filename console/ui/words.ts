/** A number of turns in words. */
export function formatTurns(count: number): string {
  return count === 1 ? '1 turn' : `${count.toLocaleString()} turns`;
}

const CHANNELS: Readonly<Record<string, string>> = {
  WEBCHAT: 'Web chat',
  CHAT: 'Chat',
  'VOICE-SIP': 'Telephone',
  WHATSAPP: 'WhatsApp',
};

/** The name of a channel for people; a custom channel keeps its name. */
export function nameOfChannel(channel: string): string {
  return CHANNELS[channel] ?? channel;
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** The English name of a language by its tag; `none` stands for conversations without one. */
export function nameOfLanguage(tag: string): string {
  try {
    return tag === 'none' ? 'Unknown' : (LANGUAGES.of(tag) ?? tag);
  } catch {
    // A page may name its language by something other than a tag.
    return tag;
  }
}
