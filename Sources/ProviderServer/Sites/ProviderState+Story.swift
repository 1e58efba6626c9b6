import FoundationEssentials
import Providers
import Serving
import Supabase

/// StoryToVideo's server, which has no sign-in (contract section 1.3).
extension ProviderState {
    mutating func storyToVideo(_ call: SiteRequest) -> Response {
        if call.match("GET", "/v1/api/health") != nil {
            return .json(["status": "ok", "service": "StoryToVideo-server"])
        }
        if call.match("POST", "/v1/api/projects") != nil { return storyBegin(call) }
        if let id = call.match("GET", "/v1/api/tasks/:")?[0] {
            guard let job = ask("tasks/\(id)", at: .storyToVideo, now: call.now) else { return Self.noWork }
            return .json(["task": storyWork(job, call)])
        }
        let parts = call.match(call.method, "/v1/api/projects/:") ?? call.match(call.method, "/v1/api/projects/:/*")
        guard let parts, let index = stories.firstIndex(where: { $0.id == parts[0] }) else {
            return .json(["error": "project not found: sql: no rows in result set"], status: 404)
        }
        switch (call.method, parts.count > 1 ? parts[1] : "") {
        case ("GET", ""): return storyProject(index, call)
        case ("GET", "shots"): return storyShots(index, call)
        case ("POST", "video"): return storyVideo(index, call)
        case ("POST", "tts"): return storySound(index, call)
        case ("DELETE", ""):
            stories.remove(at: index)
            return .json(["success": true, "deleteAt": .moment(call.now), "message": "deleted"])
        default: return .json(["error": "no such call"], status: 404)
        }
    }

    static let noWork = Response.json(["error": "task not found: sql: no rows in result set"], status: 404)
}

// MARK: Submitting

extension ProviderState {
    private mutating func storyBegin(_ call: SiteRequest) -> Response {
        let wanted = call.request.queryItem("ShotCount").flatMap { Int($0) } ?? 0
        let (id, text) = (nextID("p"), addWork("generate_storyboard", [], [], after: [], call.now))
        let shots = (1...(wanted > 0 ? wanted : 5)).map { order in
            let shot = nextID("s")
            let picture = "shots/\(shot)/image_\(order).png"
            let work = addWork("generate_shot", [plan.picture], [picture], after: [text.id], call.now)
            return Story.Shot(
                id: shot, order: order, work: work.id, picture: "/files/storytovideo/\(picture)",
                sound: "/files/storytovideo/shots/\(shot)/audio.mp3")
        }
        let story = Story(
            id: id, title: call.request.queryItem("Title") ?? "", text: call.request.queryItem("StoryText") ?? "",
            style: call.request.queryItem("Style") ?? "", createdAt: call.now, textWork: text.id, shots: shots)
        stories.append(story)
        charge(text, at: call.now)
        return .json([
            "project_id": .string(id), "text_task_id": .string(Self.bare(text.id)),
            "shot_task_ids": .array(shots.map { .string(Self.bare($0.work)) }),
        ])
    }

    private mutating func storyVideo(_ index: Int, _ call: SiteRequest) -> Response {
        let story = stories[index]
        let number = story.video == nil ? "" : nextID("-again")
        let path = "projects/\(story.id)/video\(number).mp4"
        let job = addWork("generate_video", plan.media.prefix(1) + [], [path], after: story.shots.map(\.work), call.now)
        stories[index].video = job.id
        charge(job, at: call.now)
        return .json([
            "message": "video task created", "project_id": .string(story.id), "shot_id": "",
            "task_id": .string(Self.bare(job.id)),
        ])
    }

    private mutating func storySound(_ index: Int, _ call: SiteRequest) -> Response {
        let paths = stories[index].shots.map { String($0.sound.dropFirst("/files/storytovideo/".count)) }
        let job = addWork("generate_audio", paths.map { _ in plan.sound }, paths, after: [], call.now)
        stories[index].sound = job.id
        charge(job, at: call.now)
        return .json([
            "task_id": .string(Self.bare(job.id)), "message": "tts task created",
            "project_id": .string(stories[index].id),
        ])
    }

    private mutating func addWork(
        _ type: String, _ media: [MadeMedia], _ paths: [String], after: [String], _ now: Date
    ) -> MadeJob {
        var job = MadeJob(
            .storyToVideo, "tasks/" + nextID("t"), model: type, media: media, queued: plan.queued,
            running: plan.running, end: plan.end)
        job.paths = paths
        job.after = after
        job.createdAt = now
        add(job)
        return job
    }
}

// MARK: WorkUpdate

extension ProviderState {
    /// A job's id as this server writes it, without `tasks/`.
    static func bare(_ work: String) -> String {
        work.hasPrefix("tasks/") ? String(work.dropFirst(6)) : work
    }

    /// A task, which REST wraps and the socket sends as it is.
    func storyWork(_ job: MadeJob, _ call: SiteRequest) -> JSONValue {
        let done = plan.saysSuccess ? "success" : "finished"
        let word = isBlocked(job) ? "blocked" : job.word("pending", "processing", done, "failed", "cancelled")
        let isPicture = job.model == "generate_shot"
        let link = job.isDone ? links(of: job, for: call).first?.url : nil
        let story = stories.first { $0.works.contains(job.id) }
        return [
            "id": .string(Self.bare(job.id)), "projectId": .string(story?.id ?? "p-0"), "shotId": "",
            "type": .string(job.model), "status": .string(word),
            // The real server reports 100 as soon as it begins to copy.
            "progress": job.stage == .queued ? 0 : 100, "message": "", "error": .string(job.reason ?? ""),
            "parameters": ["depends_on": job.after.isEmpty ? nil : .array(job.after.map { .string(Self.bare($0)) })],
            "result": [
                "resource_type": isPicture && job.isDone ? "image" : "", "resource_id": "w-1",
                "resource_url": .string(link ?? ""),
            ],
            "estimatedDuration": 0, "startedAt": Self.zeroDate, "finishedAt": Self.zeroDate,
            "createdAt": .moment(job.createdAt), "updatedAt": .moment(job.endedAt ?? job.createdAt),
        ]
    }

    /// Go's zero date, which the real server sends for "never" and often for "not recorded".
    private static let zeroDate: JSONValue = "0001-01-01T00:00:00Z"

    private mutating func storyProject(_ index: Int, _ call: SiteRequest) -> Response {
        let works = stories[index].works.compactMap { ask($0, at: .storyToVideo, now: call.now) }
        let story = stories[index]
        let video = story.video.flatMap { job($0, at: .storyToVideo) }
        let link = video.flatMap { $0.isDone ? links(of: $0, for: call).first?.url : nil }
        let detail: JSONValue = [
            "id": .string(story.id), "title": .string(story.title), "storyText": .string(story.text),
            "style": .string(story.style), "status": .string(word(of: story)), "coverImage": "", "duration": 0,
            "videoUrl": .string(link ?? ""), "description": "", "shotCount": .count(story.shots.count),
            "createdAt": .moment(story.createdAt), "updatedAt": .moment(call.now),
        ]
        return .json([
            "project_detail": detail, "shots": shots(of: story, call),
            "recent_task": works.last.map { storyWork($0, call) } ?? .null,
        ])
    }

    private func storyShots(_ index: Int, _ call: SiteRequest) -> Response {
        let story = stories[index]
        return .json([
            "shots": shots(of: story, call), "project_id": .string(story.id), "total_shots": .count(story.shots.count),
        ])
    }

    /// The status word of the last step that was completed.
    private func word(of story: Story) -> String {
        let isDone = { (work: String?) in work.flatMap { job($0, at: .storyToVideo) }?.isDone ?? false }
        if works(of: story).contains(where: { $0.stage == .ended && !$0.isDone }) { return "failed" }
        if isDone(story.video) { return "video_generated" }
        if story.shots.allSatisfy({ isDone($0.work) }) { return "images_generated" }
        return isDone(story.textWork) ? "text_generated" : "created"
    }

    private func works(of story: Story) -> [MadeJob] {
        story.works.compactMap { job($0, at: .storyToVideo) }
    }

    /// The shots; null until the text has created them, because Go writes an empty list so.
    private func shots(of story: Story, _ call: SiteRequest) -> JSONValue {
        guard job(story.textWork, at: .storyToVideo)?.isDone == true else { return nil }
        return .array(story.shots.map { shot(of: story, $0, call) })
    }

    private func shot(of story: Story, _ shot: Story.Shot, _ call: SiteRequest) -> JSONValue {
        let url = { (path: String, work: String?) -> JSONValue in
            guard let job = work.flatMap({ job($0, at: .storyToVideo) }), job.isDone else { return "" }
            return .string(link(path, of: job, for: call))
        }
        let picture = url(shot.picture, shot.work)
        return [
            "id": .string(shot.id), "projectId": .string(story.id), "order": .count(shot.order), "title": "",
            "description": "", "prompt": "", "status": picture == "" ? "pending" : "completed", "imagePath": picture,
            "audioPath": url(shot.sound, story.sound), "transition": "", "createdAt": .moment(story.createdAt),
            "updatedAt": Self.zeroDate,
        ]
    }
}
