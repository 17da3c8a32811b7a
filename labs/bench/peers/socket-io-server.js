import { createServer } from 'node:http';
import pg from 'pg';
import { Server } from 'socket.io';

// A chat server as the tutorial of socket.io writes it (socket.io/docs/v4/tutorial): every message is inserted by a
// statement of its own, then sent to its room and acknowledged. The tutorial's database is SQLite; this one is PostgreSQL,
// with the pool of `pg`. A room stands for a conversation.
const { DATABASE_URL, SCHEMA } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20, options: `-c search_path=${SCHEMA}` });
await pool.query(`CREATE SCHEMA ${SCHEMA}`);
await pool.query(
  'CREATE TABLE messages (id bigserial PRIMARY KEY, client_offset text UNIQUE, content text, room text)',
);

const server = createServer();
const io = new Server(server, { perMessageDeflate: false });
let rooms = 0;

io.on('connection', (socket) => {
  rooms += 1;
  const room = `room-${rooms}`;
  socket.join(room);
  socket.on('chat message', async (content, clientOffset, callback) => {
    let inserted;
    try {
      inserted = await pool.query(
        'INSERT INTO messages (content, client_offset, room) VALUES ($1, $2, $3) RETURNING id',
        [content, clientOffset, room],
      );
    } catch (error) {
      // Inserted already: the client is told so. Everything else is left to the client to try again.
      if (error.code === '23505') callback();
      else console.error(error);
      return;
    }
    io.to(room).emit('chat message', content, inserted.rows[0].id);
    callback();
  });
});

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.once('message', async () => {
  await io.close();
  await pool.query(`DROP SCHEMA ${SCHEMA} CASCADE`);
  await pool.end();
  process.disconnect();
});
