import { type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import { connect } from 'node:net';

/** Forwards a request like a reverse proxy. */
export function forward(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url: path, headers } = request;
  const passed = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.writeHead(502).end());
  request.pipe(passed);
}

/** Forwards the handshakes that a server receives, and the sockets after them. */
export function forwardSockets(server: Server, port: number): void {
  server.on('upgrade', ({ method, url, rawHeaders }, socket, head) => {
    const passed = connect(port, '127.0.0.1');
    const headers = rawHeaders.map((part, index) => `${part}${index % 2 === 0 ? ': ' : '\r\n'}`).join('');
    passed.write(`${method} ${url} HTTP/1.1\r\n${headers}\r\n`);
    passed.write(head);
    passed.pipe(socket).pipe(passed);
    for (const [one, other] of [
      [passed, socket],
      [socket, passed],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.end(() => other.destroy()));
  });
}
