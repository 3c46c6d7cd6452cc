/**
 * Renders the invented desktop that the pictures show, with a dashboard window and a chat window, from one web page to
 * PNG. Also has the positions of its parts.
 */
import type { Browser } from 'playwright-core';

export const DESKTOP = { width: 1280, height: 800 } as const;
/** Positions on it, in pixels. */
export const DASHBOARD = { x: 72, y: 72, width: 884, height: 640 } as const;
export const TALK = { x: 896, y: 300, width: 320, height: 436 } as const;
/** The card of the dashboard with the chart. */
export const CHART = { x: 280, y: 288, width: 596, height: 268 } as const;
/** The line of it that should be redacted. */
export const SECRET = { x: 464, y: 611, width: 148, height: 24 } as const;

const VISITS = [42, 46, 44, 52, 58, 55, 63, 61, 70, 78, 74, 86, 92, 88, 101, 112];
const BEFORE = [38, 39, 42, 41, 46, 47, 50, 49, 55, 56, 60, 62, 61, 66, 70, 72];

const points = (values: readonly number[]): string =>
  values.map((value, index) => `${(index * 556) / (values.length - 1)},${168 - value * 1.34}`).join(' ');

const numbers = [
  ['Visitors', '48,120', '+12.4 %'],
  ['Sign-ups', '1,906', '+8.1 %'],
  ['Answer time', '142 ms', '−31 ms'],
]
  .map(
    ([name, value, change]) =>
      `<div class="number"><span>${name}</span><b>${value}</b><em>${change} this month</em></div>`,
  )
  .join('');

const entries = ['Overview', 'Audience', 'Releases', 'Incidents', 'Reports']
  .map((name, index) => `<li class="${index === 0 ? 'on' : ''}"><i></i>${name}</li>`)
  .join('');

const PAGE = `<!doctype html><meta charset="utf-8"><style>
* { box-sizing: border-box; margin: 0; }
body { width: 1280px; height: 800px; overflow: hidden; position: relative; font: 13px/1.4 Inter, "Nimbus Sans", sans-serif; color: #1d2433;
  background: radial-gradient(900px 600px at 85% 0%, #f6c8a8 0%, transparent 65%), radial-gradient(900px 700px at 0% 100%, #4c6fd8 0%, transparent 70%), linear-gradient(160deg, #8fa7e8, #c9a5cf 60%, #e9b7a6); }
.panel { position: absolute; inset: 0 0 auto; height: 32px; padding: 0 16px; display: flex; justify-content: space-between; align-items: center; background: rgb(22 28 46 / 72%); color: #eef1fa; font-weight: 500; }
.window { position: absolute; border-radius: 12px; overflow: hidden; background: #fff; box-shadow: 0 24px 60px rgb(20 24 60 / 35%), 0 0 0 1px rgb(20 24 60 / 10%); }
.title { height: 40px; display: flex; align-items: center; gap: 8px; padding: 0 14px; background: #f3f5fa; border-bottom: 1px solid #e3e7f0; color: #5b6478; font-weight: 500; }
.title i { width: 12px; height: 12px; border-radius: 50%; background: #ff6b62; } .title i + i { background: #f5bf4f; } .title i + i + i { background: #5dc466; margin-right: 8px; }
.side { position: absolute; left: 0; top: 40px; bottom: 0; width: 184px; background: #fafbfd; border-right: 1px solid #e8ebf2; padding: 16px 12px; }
.side h2 { font-size: 15px; padding: 0 8px 14px; } .side ul { list-style: none; padding: 0; }
.side li { display: flex; align-items: center; gap: 10px; padding: 8px; border-radius: 8px; color: #5b6478; } .side li i { width: 14px; height: 14px; border-radius: 4px; background: #c8cfdf; }
.side li.on { background: #e9eeff; color: #2f4fc4; font-weight: 600; } .side li.on i { background: #4a6cf0; }
.main { position: absolute; left: 184px; top: 40px; right: 0; bottom: 0; padding: 20px 24px; }
.main h1 { font-size: 20px; letter-spacing: -.01em; } .main h1 small { font-size: 13px; font-weight: 400; color: #7a8397; margin-left: 10px; }
.numbers { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px; margin-top: 16px; width: 596px; }
.number { border: 1px solid #e6e9f1; border-radius: 12px; padding: 12px 16px; height: 96px; } .number span { color: #69728a; display: block; } .number b { font-size: 22px; letter-spacing: -.02em; display: block; } .number em { font-style: normal; color: #1a8a4c; font-size: 12px; }
.chart { position: absolute; left: ${CHART.x - 72 - 184}px; top: ${CHART.y - 72 - 40}px; width: ${CHART.width}px; height: ${CHART.height}px; border: 1px solid #cfd6e6; border-radius: 12px; padding: 14px 20px; background: #fff; }
.chart > i { position: absolute; right: 3px; bottom: 3px; width: 9px; height: 9px; background: repeating-linear-gradient(135deg, #8fa3ea 0 1px, transparent 1px 3px); clip-path: polygon(100% 0, 100% 100%, 0 100%); }
.chart header { display: flex; justify-content: space-between; font-weight: 600; margin-bottom: 8px; } .chart header span { font-weight: 400; color: #69728a; display: flex; gap: 6px; align-items: center; } .chart header span i { width: 10px; height: 10px; border-radius: 3px; background: #4a6cf0; } .chart header span i + b, .chart header span b { font-weight: 400; margin-right: 8px; }
.months { display: flex; justify-content: space-between; color: #8a92a6; font-size: 12px; margin-top: 6px; }
.rows { position: absolute; left: ${CHART.x - 72 - 184}px; top: 460px; width: ${CHART.width}px; font-size: 13px; }
.rows div { height: 34px; display: flex; align-items: center; border-bottom: 1px solid #eceff5; padding: 0 12px; } .rows div span { width: 180px; color: #69728a; } .rows div b { font-weight: 500; } .rows div em { margin-left: auto; font-style: normal; color: #8a92a6; }
.talk { padding: 16px; display: flex; flex-direction: column; gap: 10px; } .talk p { max-width: 236px; padding: 9px 13px; border-radius: 14px; background: #f0f2f8; } .talk p.me { align-self: flex-end; background: #4a6cf0; color: #fff; }
.field { position: absolute; left: 16px; right: 16px; bottom: 16px; height: 38px; border: 1px solid #dde2ec; border-radius: 19px; padding: 9px 16px; color: #98a0b3; }
</style>
<div class="panel"><span>Northwind Desk</span><span>Fri 20 Nov &nbsp; 12:00</span></div>
<div class="window" style="left:${DASHBOARD.x}px;top:${DASHBOARD.y}px;width:${DASHBOARD.width}px;height:${DASHBOARD.height}px">
  <div class="title"><i></i><i></i><i></i>Northwind Metrics</div>
  <div class="side"><h2>Northwind</h2><ul>${entries}</ul></div>
  <div class="main"><h1>Overview<small>1 to 16 November</small></h1><div class="numbers">${numbers}</div>
    <div class="chart"><header>Visitors per day<span><i></i><b>November</b><i style="background:#c3cbe0"></i><b>October</b></span></header>
      <svg width="556" height="176" viewBox="0 0 556 176" fill="none" overflow="visible"><g stroke="#eef1f6"><path d="M0 8h556M0 48h556M0 88h556M0 128h556M0 168h556"/></g>
        <defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#4a6cf0" stop-opacity=".28"/><stop offset="1" stop-color="#4a6cf0" stop-opacity="0"/></linearGradient></defs>
        <polygon points="0,168 ${points(VISITS)} 556,168" fill="url(#g)"/><polyline points="${points(BEFORE)}" stroke="#c3cbe0" stroke-width="2.5" stroke-linejoin="round"/><polyline points="${points(VISITS)}" stroke="#4a6cf0" stroke-width="3" stroke-linejoin="round"/><circle cx="556" cy="${168 - 112 * 1.34}" r="5" fill="#fff" stroke="#4a6cf0" stroke-width="3"/></svg>
      <div class="months">${[1, 4, 7, 10, 13, 16].map((day) => `<span>${day} Nov</span>`).join('')}</div><i></i></div>
    <div class="rows"><div><span>Latest release</span><b>4.12.0</b><em>two hours ago</em></div><div><span>Deploy token</span><b>nw_7f31c09e84d2ab</b><em>expires in 12 days</em></div><div><span>Open incidents</span><b>None</b><em>for 41 days</em></div></div>
  </div>
</div>
<div class="window talking" style="left:${TALK.x}px;top:${TALK.y}px;width:${TALK.width}px;height:${TALK.height}px">
  <div class="title"><i></i><i></i><i></i>Team</div>
  <div class="talk"><p>How did the new start page do?</p><p class="me">Well! Sign-ups are up by 8 %.</p><p>Can you show me the curve?</p><p class="me">One moment, I send you a link.</p><p>Great, thank you.</p></div>
  <div class="field">Write a message</div>
</div>`;

const ALONE = '.talking { display: none } .window { border-radius: 0; box-shadow: none }';

/** PNGs of the whole desktop, and of the dashboard as a separately captured window. */
export const drawDesktop = async (browser: Browser): Promise<{ desktop: Buffer; dashboard: Buffer }> => {
  const page = await browser.newPage({ viewport: DESKTOP });
  await page.setContent(PAGE);
  const desktop = await page.screenshot();
  await page.addStyleTag({ content: ALONE });
  const dashboard = await page.screenshot({ clip: DASHBOARD });
  await page.close();
  return { desktop, dashboard };
};
