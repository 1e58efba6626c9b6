import CCurl
import Cleansing
import Platform

extension Exchange {
    /// The result of the exchange, once curl has finished with it.
    ///
    /// A refusal whose head arrived is an answer even if its body, or ours, was cut short, since servers
    /// answer early and close. The same holds for an answer that arrived whole before sending failed.
    func outcome(after ending: Ending) -> Result<HTTPResponse, TransferError> {
        switch ending {
        case .cancelled:
            return .failure(error(.cancelled, "The request was cancelled."))
        case .done(CURLE_OK) where headIsComplete:
            return .success(response(isTruncated: false))
        case .done(CURLE_OK):
            // A connection that ended within the head is a success for curl, which takes it for the end of the answer.
            return .failure(error(after: CURLE_RECV_ERROR))
        case .idle, .done:
            if let early { return .success(response(early)) }
            guard hasAnswer else { return .failure(error(after: ending)) }
            return .success(response(isTruncated: !isWhole))
        }
    }

    /// Whether a kept connection was already dead before any byte of the answer arrived.
    ///
    /// curl repeats the request itself when reading reveals that, but not when sending the body does.
    func wasStale(after ending: Ending) -> Bool {
        guard case .done(CURLE_SEND_ERROR) = ending else { return false }
        return head.isEmpty && early == nil && easy.long(CURLINFO_NUM_CONNECTS) == 0
    }

    private var status: Int { easy.long(CURLINFO_RESPONSE_CODE) }

    private var hasAnswer: Bool {
        guard failure == nil, headIsComplete, status >= 200 else { return false }
        return status >= 300 || isWhole
    }

    private var isWhole: Bool {
        guard !isTruncated else { return false }
        if request.method == .head || status == 204 || status == 304 { return true }
        return easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) == received
    }

    private func response(isTruncated: Bool) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: HTTPHeaders(block: head), body: answer, isTruncated: isTruncated,
            received: received)
    }

    private func response(_ early: EarlyAnswer) -> HTTPResponse {
        HTTPResponse(
            status: early.status, headers: HTTPHeaders(block: early.head), body: early.body,
            isTruncated: !early.isWhole)
    }

    private func error(after ending: Ending) -> TransferError {
        if let forbiddenPeer, !wasConnected || isHeldBack(ending) {
            return error(.forbiddenPeer(forbiddenPeer), "The host is at \(forbiddenPeer), which is not permitted.")
        }
        if case .done(let code) = ending { return error(after: code) }
        return error(wasConnected ? .timedOut : .unreachable, "Nothing moved for \(request.timeouts.idle ?? .zero).")
    }

    /// Whether a callback stopped the request before it was sent.
    private func isHeldBack(_ ending: Ending) -> Bool {
        guard case .done(CURLE_ABORTED_BY_CALLBACK) = ending else { return false }
        return !hasSent
    }

    private func error(after code: CURLcode) -> TransferError {
        switch failure {
        case .local(let reason)?:
            error(.local(reason), "\(reason)")
        case .sourceShrank?:
            error(.sourceShrank, "The file ended before its announced length.")
        case let kind?:
            error(kind, easy.text(for: code))
        case nil where isTruncated:
            error(.tooLarge, "The answer is larger than expected.")
        case nil:
            error(kind(of: code), trouble(kind(of: code), code).sentence)
        }
    }

    /// What `code` means, given how far the exchange had come.
    private func kind(of code: CURLcode) -> TransferError.Kind {
        switch code {
        // A host that drops packets is as unreachable as one that refuses the connection.
        case CURLE_OPERATION_TIMEDOUT where !wasConnected: .unreachable
        // The answer shows that the host speaks another protocol, so the URL is not at fault.
        case CURLE_UNSUPPORTED_PROTOCOL where hasSent: .lost
        default: TransferError.Kind(code)
        }
    }

    private func trouble(_ kind: TransferError.Kind, _ code: CURLcode) -> ConnectionTrouble {
        ConnectionTrouble(
            kind: kind, isNameUnknown: code == CURLE_COULDNT_RESOLVE_HOST, url: request.url,
            systemCode: Int32(truncatingIfNeeded: easy.long(CURLINFO_OS_ERRNO)), words: easy.text(for: code))
    }

    private var wasConnected: Bool { hasSent || easy.offset(CURLINFO_CONNECT_TIME_T) > 0 }
    private var hasSent: Bool { easy.long(CURLINFO_REQUEST_SIZE) > 0 }

    /// Cleanses the message: curl's text may quote the other side, such as the names in its certificate.
    private func error(_ kind: TransferError.Kind, _ message: String) -> TransferError {
        TransferError(kind, Cleanser().text(message, limit: 500), mayHaveArrived: hasSent)
    }
}

extension TransferError.Kind {
    /// What a curl code means to a caller.
    init(_ code: CURLcode) {
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .unreachable
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_LOGIN_DENIED: .unsendable
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
                CURLE_SSL_ENGINE_NOTFOUND:
                .secure
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
                CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
                .untrusted
            default: .lost
            }
    }
}
