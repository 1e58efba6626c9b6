"""order.py SITE ORIGIN KEY: orders, polls and fetches a video at a stand-in with the provider's own SDK.

Prints one line of JSON: the states that the SDK read, and the SHA-256 of the bytes that it was led to.
"""
import hashlib, json, os, sys, time

site, origin, key = sys.argv[1:4]
base = f"{origin}/{site}"


def polled(read, done):
    """The states that `read` gives until one of `done`, and what it gave last."""
    states = []
    for _ in range(50):
        answer, state = read()
        if not states or states[-1] != state:
            states.append(state)
        if state in done:
            return states, answer
        time.sleep(0.02)
    raise SystemExit(f"{site} does not end: {states}")


def fetched(link, **headers):
    import httpx

    return httpx.get(link, headers=headers, follow_redirects=True).raise_for_status().content


def fal():
    os.environ["FAL_KEY"] = key
    import fal_client
    from fal_client import client

    client.QUEUE_URL_FORMAT = base + "/"
    handle = fal_client.SyncClient(key=key).submit("fal-ai/veo3.1/fast", arguments={"prompt": "a cat"})

    def read():
        status = handle.status()
        return status, type(status).__name__

    states, _ = polled(read, ["Completed"])
    return states, fetched(handle.get()["video"]["url"])


def openai():
    import openai

    client = openai.OpenAI(api_key=key, base_url=base)
    video = client.videos.create(model="sora-2", prompt="a cat")

    def read():
        now = client.videos.retrieve(video.id)
        return now, now.status

    states, last = polled(read, ["completed", "failed"])
    assert [row.id for row in client.videos.list()] == [video.id]
    return states, client.videos.download_content(last.id).read()


def gemini():
    from google import genai
    from google.genai import types

    # The SDK orders no more videos here by operations: "only supported in Gemini Enterprise Agent Platform mode".
    client = genai.Client(api_key=key, http_options=types.HttpOptions(base_url=base))
    order = client.interactions.create(model="omni-flash", input="a cat", background=True)

    def read():
        now = client.interactions.get(order.id)
        return now, now.status

    states, last = polled(read, ["completed", "failed"])
    return states, fetched(last.steps[-1].content[0].uri, **{"x-goog-api-key": key})


def vertex():
    from google import genai
    from google.genai import types
    from google.oauth2.credentials import Credentials

    client = genai.Client(
        vertexai=True, project="p", location="global", credentials=Credentials(key),
        http_options=types.HttpOptions(base_url=base, api_version="v1beta1"))
    operation = client.models.generate_videos(
        model="veo-3.1-generate-001", source=types.GenerateVideosSource(prompt="a cat"))

    def read():
        now = client.operations.get(operation)
        return now, str(bool(now.done))

    states, last = polled(read, ["True"])
    return states, last.response.generated_videos[0].video.video_bytes


def runway():
    import runwayml

    client = runwayml.RunwayML(api_key=key, base_url=base)
    order = client.text_to_video.create(model="veo3.1", prompt_text="a cat", ratio="1280:720")

    def read():
        now = client.tasks.retrieve(order.id)
        return now, now.status

    states, last = polled(read, ["SUCCEEDED", "FAILED"])
    return states, fetched(last.output[0])


def luma():
    import lumaai

    client = lumaai.LumaAI(auth_token=key, base_url=base)
    order = client.generations.create(model="ray-2", prompt="a cat")

    def read():
        now = client.generations.get(order.id)
        return now, now.state

    states, last = polled(read, ["completed", "failed"])
    assert [row.id for row in client.generations.list().generations] == [order.id]
    return states, fetched(last.assets.video)


def replicate():
    import replicate

    client = replicate.Client(api_token=key, base_url=base)
    prediction = client.predictions.create(version="made-up", input={"prompt": "a cat"})

    def read():
        prediction.reload()
        return prediction, prediction.status

    states, last = polled(read, ["succeeded", "failed", "canceled"])
    assert [row.id for row in client.predictions.list()] == [prediction.id]
    return states, fetched(last.output)


states, content = globals()[site]()
print(json.dumps({"states": states, "sha256": hashlib.sha256(content).hexdigest()}))
