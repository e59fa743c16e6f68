internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The customer, storefront and time of a receipt record.
///
/// They are used for a price report inside the record if the report itself lacks the value.
struct ReportContext {
  var customer: CustomerID?
  var storefront: Storefront?
  var time: Instant?
}

extension RecordReader {
  /// Adds the price report inside a receipt record to ``set``.
  ///
  /// The receipt is used even if its report is unusable. A report inside a sandbox response belongs
  /// to a test purchase: it is ignored and counted.
  mutating func stageEmbeddedReport(
    _ outer: FieldBank<ReceiptKey>, _ cursor: JSONCursor, isSandbox: Bool, context: ReportContext
  ) throws(FieldFault) {
    guard let slice = outer[.priceReport], var reader = layout.take() else { return }
    defer { layout = reader }
    guard !isSandbox else {
      notices.sandboxReports += 1
      return
    }
    let offers = set.offers.count
    do throws(JSONFault) {
      var inner = cursor
      inner.position = Int(slice.start)
      guard inner.byte(at: inner.position) == Byte.openBrace else {
        throw JSONFault(reason: .wrongType, offset: inner.position, key: "price_report")
      }
      reader.begin(isStrict: true)
      try reader.read(&inner)
      _ = try stageOne(&reader, in: context)
    } catch {
      set.offers.removeSubrange(offers...)
      notices.rejectedReports += 1
      let place = error.key.isEmpty ? "price_report" : "price_report.\(error.key)"
      keep(Reject(line: line, reason: error.reason, detail: place))
    }
  }

  /// Stores the faults of a rejected report as rejects.
  ///
  /// `first` is the fault that rejected the report. Faults with the same reason as `first` are left
  /// out.
  mutating func keepFurtherFaults(of record: JSONCursor, besides first: JSONFault) {
    guard record.byte(at: 0) == Byte.openBrace, var reader = layout.take() else { return }
    defer { layout = reader }
    var cursor = record
    reader.begin()
    guard (try? reader.read(&cursor)) != nil else { return }
    let layout = reader.layout
    try? reader.withText { values, _, cursor in
      for fault in reportFaults(values, cursor) where fault.reason != first.reason {
        let field = fault.key.flatMap(LayoutField.init(rawValue:))
        keep(
          Reject(line: line, reason: fault.reason, detail: field.map(layout.key(of:)) ?? ""))
      }
    }
  }

  private mutating func reportFaults(_ values: LayoutValues, _ cursor: JSONCursor) -> [FieldFault] {
    var faults: [FieldFault] = []
    if values[.product] == nil {
      faults.append(FieldFault(reason: .priceWithoutProduct, key: LayoutField.product.rawValue))
    }
    do throws(FieldFault) { _ = try currency(values[.currency], cursor) } catch {
      faults.append(error)
    }
    if let price = values[.price] {
      do throws(FieldFault) { _ = try fields.amount(price, in: cursor) } catch {
        faults.append(error)
      }
    } else {
      faults.append(FieldFault(reason: .priceWithoutPrice, key: LayoutField.price.rawValue))
    }
    do throws(FieldFault) {
      if try reportTime(values, cursor) == nil {
        faults.append(FieldFault(reason: .priceWithoutTime, key: LayoutField.time.rawValue))
      }
    } catch {
      faults.append(error)
    }
    return faults
  }
}
