/** Requests of the network pane to its server, which acts with the person's own keys. */
// @ts-nocheck

export const readPeople = () => request("people");

export const readOverview = (fid) => request(`overview?fid=${fid}`);

export const readChannel = (fid, channelId) =>
  request(`channel?fid=${fid}&channelId=${encodeURIComponent(channelId)}`);

export const sendAct = (fid, action) =>
  request("act", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ fid, action }),
  });

async function request(path, options) {
  const response = await fetch(`/network/${path}`, options);
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body;
}
