internal import CivilTime

/// The assignment of all records to the export files.
struct ExportSchedule: Sendable {
  /// A record, given by its customer and its index in the customer's list of uploads or reports.
  struct Entry: Sendable {
    var at: Int64
    var customer: Int32
    var item: Int32
  }

  /// The responses of each export file, sorted by time.
  private(set) var uploads: [[Entry]]
  /// The signed responses of each export file, sorted by time.
  private(set) var signed: [[Entry]]
  /// The price reports of each export file, sorted by time, without the reports inside receipt
  /// records.
  private(set) var reports: [[Entry]]
  private let start: Int64
  private let days: Int
  private let files: Int

  /// Assigns all records of the customers to the export files.
  init(plan: StorePlan, files: Int, customers: [SampleCustomer]) {
    start = plan.start
    days = plan.days
    self.files = files
    uploads = Array(repeating: [], count: files)
    signed = uploads
    reports = Array(repeating: [], count: files)
    for (index, customer) in customers.enumerated() {
      for (position, upload) in customer.uploads.enumerated() {
        let entry = Entry(at: upload.at, customer: Int32(index), item: Int32(position))
        if upload.signedFrom == nil {
          uploads[part(of: upload.at)].append(entry)
        } else {
          signed[part(of: upload.at)].append(entry)
        }
      }
      for (position, report) in customer.reports.enumerated() where !report.isEmbedded {
        let part = min(files - 1, part(of: report.shownAt) + report.delay)
        reports[part].append(
          Entry(at: report.shownAt, customer: Int32(index), item: Int32(position)))
      }
    }
    for part in 0..<files {
      uploads[part].sort { ($0.at, $0.customer, $0.item) < ($1.at, $1.customer, $1.item) }
      signed[part].sort { ($0.at, $0.customer, $0.item) < ($1.at, $1.customer, $1.item) }
      reports[part].sort { ($0.at, $0.customer, $0.item) < ($1.at, $1.customer, $1.item) }
    }
  }

  /// The number of the export file whose days contain a moment; the first file has the number 0.
  ///
  /// Two files differ by at most one day in their number of days.
  func part(of moment: Int64) -> Int {
    let day = Int((moment - start) / BillingClock.day)
    return min(files - 1, max(0, ((day + 1) * files - 1) / days))
  }

  /// The last day of an export file, which is in the file's name.
  func lastDay(of part: Int) -> CivilDay {
    Instant(milliseconds: start).day.advanced(by: Int64((part + 1) * days / files - 1))
  }
}
