/// How a provider lists jobs.
package struct JobListing: Hashable, Sendable {
    /// How the next page is asked for.
    package enum Paging: Hashable, Sendable {
        /// There is one page.
        case none
        /// A query item with the last row's id, while a member says that there is more; newest first.
        case after(String, more: AnswerPath)
        /// The answer has the next page's link; newest first.
        case link(AnswerPath)
        /// A query item with the number of rows before the page; a member may say whether there is more.
        case offset(String, more: AnswerPath)
        /// A query item with the page's number, from 1.
        case page(String)
    }

    /// The path of the first page.
    let path: CallPath
    /// The rows in the answer.
    let rows: AnswerPath
    /// The job's id in its row.
    let id: AnswerPath
    /// The model in its row.
    let model: AnswerPath
    /// How pages follow each other.
    let paging: Paging

    /// A list of one page unless told otherwise, whose rows have their id under `id`.
    package init(
        path: CallPath, rows: AnswerPath, id: AnswerPath = "id", model: AnswerPath = "model", paging: Paging = .none
    ) {
        self.path = path
        self.rows = rows
        self.id = id
        self.model = model
        self.paging = paging
    }
}

extension JobListing {
    /// Rows per page; a page with fewer rows is the last.
    static let pageSize = 100

    private var join: String { path.text.contains("?") ? "&" : "?" }

    /// The call for the first page.
    var first: String {
        switch paging {
        case .none, .after, .link: path.text
        case .offset(let item, _): path.text + join + item + "=0"
        case .page(let item): path.text + join + item + "=1"
        }
    }
}
