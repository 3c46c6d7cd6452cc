/** `screen-clock-process.mjs X Y`: paints the time as 24 squares, black or white, until it is killed. */
import x11 from 'x11';

const [x = 0, y = 0] = process.argv.slice(2).map(Number);
const [COLUMNS, ROWS, SIDE, TICK_MS] = [6, 4, 40, 10];

const client = x11.createClient({ disableBigRequests: true }, (error, display) => {
  if (error) throw error;
  const { root, white_pixel: white, black_pixel: black } = display.screen[0];
  const window = client.AllocID();
  client.CreateWindow(window, root, x, y, COLUMNS * SIDE, ROWS * SIDE, 0, 0, 0, 0, {
    backgroundPixel: black,
    overrideRedirect: 1,
    eventMask: x11.eventMask.Exposure,
  });
  client.MapWindow(window);
  const [ink, paper] = [client.AllocID(), client.AllocID()];
  client.CreateGC(ink, window, { foreground: white, background: black });
  client.CreateGC(paper, window, { foreground: black, background: white });
  const paint = () => {
    const tick = Math.floor(Date.now() / TICK_MS);
    const lit = [];
    for (let bit = 0; bit < COLUMNS * ROWS; bit++)
      if (Math.floor(tick / 2 ** bit) % 2 === 1)
        lit.push((bit % COLUMNS) * SIDE, Math.floor(bit / COLUMNS) * SIDE, SIDE, SIDE);
    // Never visible half painted.
    client.GrabServer();
    client.PolyFillRectangle(window, paper, [0, 0, COLUMNS * SIDE, ROWS * SIDE]);
    client.PolyFillRectangle(window, ink, lit);
    client.UngrabServer();
    client.GetInputFocus(() => setTimeout(paint, TICK_MS / 2));
  };
  client.once('event', () => {
    process.stdout.write('ready\n');
    paint();
  });
});
