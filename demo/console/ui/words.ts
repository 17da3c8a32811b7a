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

/** What people call a channel; a channel of somebody's own keeps its name. */
export function nameOfChannel(channel: string): string {
  return CHANNELS[channel] ?? channel;
}
