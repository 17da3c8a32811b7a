// What the pages of all widgets share: the history, and a socket with the chunks of an answer as plain text.

/** A question and its answer by turns, as many messages as the address asks for. */
export const history = Array.from({ length: Number(location.hash.slice(1)) || 0 }, (_, index) =>
  index % 2 === 0
    ? { isAgent: false, text: `When does ferry ${index} leave?` }
    : {
        isAgent: true,
        text: `Ferry **${index}** leaves at *noon* from [pier three](https://x.example/${index}).`,
      },
);

/** Mounts a chat that has no launcher: at once, or with a history at the click on a button of the page. */
export function mount(show) {
  if (history.length === 0) {
    show();
    return;
  }
  const button = document.createElement('button');
  button.textContent = 'Open chat';
  button.onclick = () => {
    button.remove();
    show();
  };
  document.body.append(button);
}

/** Calls `onChunk` with each chunk that comes. */
export function receiveChunks(onChunk) {
  const socket = new WebSocket(`ws://${location.host}/answers/chunks`);
  socket.addEventListener('message', ({ data }) => onChunk(JSON.parse(data)));
}
