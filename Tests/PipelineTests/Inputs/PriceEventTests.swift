@testable internal import Pipeline
internal import PurchaseModel
internal import TestSupport
internal import Testing

/// Events of analytics tools, of which only the owner's own have a product and a price.
struct PriceEventTests {
  private func settings(_ lines: [String], file: String = "log.ndjson") throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(file, lines.joined(separator: "\n") + "\n")
    let found = try RecognizedInput.of(folder.path(file))
    #expect(found.kind == .prices, "\(found.words)")
    return found.settings
  }

  private func segment(_ number: Int, _ system: String) -> String {
    #"{"type":"track","event":"Purchase Completed","userId":"c-\#(number)","context":{"device":"#
      + #"{"type":"\#(system.lowercased())"},"os":{"name":"\#(system)"}},"properties":{"sku":"pro","#
      + #""price":9.99,"currency":"EUR","transactionId":"\#(number)"},"#
      + #""timestamp":"2024-05-01T10:00:0\#(number).123Z"}"#
  }

  private static let visits = (0..<30).map { number in
    number.isMultiple(of: 2)
      ? #"{"type":"identify","userId":"c-\#(number)","traits":{"plan":"pro"},"timestamp":"x"}"#
      : #"{"type":"track","event":"App Opened","userId":"c-\#(number)","properties":{}}"#
  }

  @Test func `the events with a price are named, among others and before them`() throws {
    let purchases = [segment(1, "iOS"), segment(2, "Android")]
    let keys =
      "keys: {product_id: properties.sku, price: properties.price, currency: "
      + "properties.currency, reported_at: timestamp, customer_id: userId, transaction_id: "
      + "properties.transactionId, platform: context.os.name"
    #expect(try settings(purchases) == keys + "}")
    let events = keys + #", event: [event, type]}, events: ["Purchase Completed"]"#
    #expect(try settings(Self.visits + purchases) == events)
    #expect(try settings(purchases + Self.visits) == events)
  }

  @Test func `the properties of an event are no payload of another format`() throws {
    let settings = try settings([
      #"{"event_type":"session_start","user_id":"c-1","platform":"iOS","event_time":"#
        + #""2024-05-01 10:00:00.000000","event_properties":{}}"#,
      #"{"event_type":"purchase_completed","user_id":"c-1","platform":"iOS","event_time":"#
        + #""2024-05-01 10:00:05.000000","event_properties":{"product_id":"pro","price":9.99,"#
        + #""currency_code":"EUR","transaction_id":"7"}}"#,
    ])
    #expect(
      settings
        == "keys: {product_id: event_properties.product_id, price: event_properties.price, "
        + "currency: event_properties.currency_code, reported_at: event_time, customer_id: user_id, "
        + "transaction_id: event_properties.transaction_id, platform: platform, event: event_type}"
        + #", events: ["purchase_completed"]"#)
  }

  @Test func `Mixpanel's distinct id is the customer`() throws {
    let settings = try settings([
      #"{"event":"Purchased","properties":{"time":1714557605,"distinct_id":"c-1","$os":"iOS","#
        + #""Product ID":"pro","Price":9.99,"Currency":"EUR"}}"#
    ])
    #expect(settings.contains("customer_id: properties.distinct_id"), "\(settings)")
    #expect(settings.contains(#"platform: "properties.$os""#), "\(settings)")
  }

  @Test func `a column Plattform is the platform`() throws {
    let settings = try settings(
      [
        "Kunde;Produkt;Preis;Währung;Datum;Plattform", "c-1;pro;9,99;EUR;01.05.2024 10:00;iOS",
        "c-2;pro;1,99;EUR;01.05.2024 10:00;Android",
      ], file: "preise.csv")
    #expect(settings.contains("platform: Plattform"), "\(settings)")
  }
}
