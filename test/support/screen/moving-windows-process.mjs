/**
 * `moving-windows-process.mjs wander|twins`: prints "ready" when its windows are visible, and moves until it is killed.
 */
import x11 from 'x11';

const [way] = process.argv.slice(2);
const STEP_MS = 3;
const colour = () => Math.floor(Math.random() * 0x1000000);

const client = x11.createClient({ disableBigRequests: true }, (error, display) => {
  if (error) throw error;
  const { root } = display.screen[0];
  const open = (x, y, title) => {
    const id = client.AllocID();
    client.CreateWindow(id, root, x, y, 180, 140, 0, 0, 0, 0, {
      backgroundPixel: colour(),
      overrideRedirect: way === 'twins' ? 1 : 0,
      eventMask: x11.eventMask.Exposure,
    });
    client.ChangeProperty(0, id, client.atoms.WM_NAME, client.atoms.STRING, 8, title);
    client.MapWindow(id);
    return id;
  };
  const move = way === 'twins' ? twins(open) : wander(open);
  client.once('event', () => {
    // Each step waits for the server, so that it never falls behind.
    const step = (done) => {
      move();
      client.GetInputFocus(() => {
        done();
        setTimeout(step, STEP_MS, () => {});
      });
    };
    step(() => process.stdout.write('ready\n'));
  });
});

const wander = (open) => {
  const id = open(40, 40, 'Wanderer');
  let at = 0;
  return () => {
    at += 0.07;
    client.MoveWindow(id, Math.round(300 + 240 * Math.cos(at)), Math.round(200 + 150 * Math.sin(at * 1.3)));
    client.ChangeWindowAttributes(id, { backgroundPixel: colour() });
    client.ClearArea(id, 0, 0, 0, 0, 0);
  };
};

/** The server is grabbed between both changes, so the windows never differ visibly. */
const twins = (open) => {
  const ids = [open(20, 20, 'Left'), open(460, 20, 'Right')];
  return () => {
    const pixel = colour();
    client.GrabServer();
    for (const id of ids) {
      client.ChangeWindowAttributes(id, { backgroundPixel: pixel });
      client.ClearArea(id, 0, 0, 0, 0, 0);
    }
    client.UngrabServer();
  };
};
