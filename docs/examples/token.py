# Makes a bearer token and calls as a user: pip install cryptography
import base64, json, os, time, urllib.request
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

url = os.environ.get("CASTELLAN_URL", "http://127.0.0.1:4680")
fid = int(os.environ["FID"])
key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(os.environ["APP_KEY"]))


def encode(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


public_key = "0x" + key.public_key().public_bytes_raw().hex()
header = encode(json.dumps({"fid": fid, "type": "app_key", "key": public_key}).encode())
payload = encode(json.dumps({"exp": int(time.time()) + 300}).encode())
text = f"{header}.{payload}"
token = f"{text}.{encode(key.sign(text.encode()))}"

request = urllib.request.Request(
    f"{url}/fc/channel-follows",
    method="POST",
    headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    data=json.dumps({"channelId": "garden"}).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())
