internal import FlyingFox
internal import Foundation

/// The response of App Store Connect to a request for a report, determined by its day.
///
/// - the 1st to the 9th: a report; Subscriber reports only in version 1_4.
/// - the 10th to the 19th: nothing was sold.
/// - the 20th to the 27th: the report is not available yet.
/// - the 28th: 503 twice, then a report.
/// - the 29th: the vendor number is wrong.
struct ReportAnswer {
  var status = 200
  var text: String

  init(kind: String, day: String, version: String, attempt: Int) {
    text = "Event Date\tUnits\n\(day)\t1\n"
    switch Int(day.suffix(2)) ?? 0 {
    case 10..<20: fail(404, "There were no sales for the date specified.")
    case 20..<28: fail(404, "The report is not available yet.")
    case 28 where attempt <= 2: fail(503, "Busy.")
    case 29: fail(400, "Invalid vendor number specified.")
    case _ where kind == "SUBSCRIBER" && version != "1_4":
      fail(400, "The version parameter is wrong. The latest version for this report is 1_4.")
    default: break
    }
  }

  /// The response to a request for a fiscal month: `2024-09` and later are not settled yet.
  static func settlements(_ request: HTTPRequest, log: QuestionLog) async -> HTTPResponse {
    func filter(_ name: String) -> String { request.query["filter[\(name)]"] ?? "" }
    let (kind, month) = (filter("reportType"), filter("reportDate"))
    _ = await log.note(
      "report \(kind) \(month) \(filter("regionCode")) \(filter("vendorNumber"))")
    var answer = ReportAnswer(kind: kind, day: "\(month)-01", version: "", attempt: 1)
    if month >= "2024-09" { answer.fail(404, "There were no sales for the date specified.") }
    return answer.response
  }

  private mutating func fail(_ status: Int, _ detail: String) {
    self.status = status
    text = "{\"errors\":[{\"status\":\"\(status)\",\"code\":\"PLAYED\",\"detail\":\"\(detail)\"}]}"
  }

  /// The response to a request.
  static func response(_ request: HTTPRequest, log: QuestionLog) async -> HTTPResponse {
    func filter(_ name: String) -> String { request.query["filter[\(name)]"] ?? "" }
    let (kind, day) = (filter("reportType"), filter("reportDate"))
    let attempt = await log.note(
      "report \(kind) \(filter("reportSubType")) \(filter("frequency")) \(day) "
        + "\(filter("vendorNumber")) \(filter("version"))")
    let answer = ReportAnswer(kind: kind, day: day, version: filter("version"), attempt: attempt)
    return answer.response
  }

  private var response: HTTPResponse {
    HTTPResponse(
      statusCode: HTTPStatusCode(status, phrase: "Played"),
      headers: [.contentType: status == 200 ? "application/a-gzip" : "application/json"],
      body: Data(text.utf8))
  }
}
