internal import Amounts
internal import ExportReading
internal import PurchaseModel
internal import Testing

/// Price reports in Paidline's own form that name a store or a system.
struct OtherStoreTests {
  @Test(arguments: [
    #""platform":"android""#, #""store":"PLAY_STORE""#, #""os":"Android 14""#,
    #""platform":"amazon""#, #""store":"STRIPE""#,
  ])
  func `a report of another store is counted apart`(field: String) throws {
    let content = try prices(report(more: field))
    #expect(content.rejects.isEmpty)
    #expect(content.set.reports.isEmpty)
    #expect(content.notices.otherEvents == 1)
    #expect(content.notices.firstOtherEvent.hasPrefix("the platform "))
  }

  @Test(arguments: [
    #""platform":"ios""#, #""store":"app_store""#, #""os":"17.4.1""#, #""platform":"""#,
    #""store":"Berlin""#, #""os":null"#,
  ])
  func `any other word is no other store`(field: String) throws {
    let content = try prices(report(more: field))
    #expect(content.set.reports.map(\.price.rawValue) == [9990])
    #expect(content.notices.otherEvents == 0)
  }

  @Test(arguments: [
    (#""transaction_id":"180000123456789.0""#, 1), (#""transaction_id":"1.8E+14""#, 1),
    (#""transaction_id":"E1""#, 0),
    (#""transaction_id":1.8e14"#, 1), (#""transaction_id":"180000123456789""#, 0),
    (#""transaction_id":"GPA.3372-4150""#, 0),
  ])
  func `a number that a spreadsheet rounded is no id`(field: String, unreadable: Int) throws {
    let content = try prices(report(more: field))
    #expect(content.notices.unreadableIDs == unreadable)
    #expect(content.set.reports.map { $0.transactionID == nil } == [unreadable == 1])
  }
}
